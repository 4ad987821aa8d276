public import AsyncViewModels
public import StorefrontDomain

/// The state of the profile's screen, and the rules by which it changes. The closure, stream and async view models share this type,
/// and none of them adds a rule.
///
/// A save has two steps. ``begin(_:)`` returns the request, if any, and shows the new profile at once. ``endSave(_:)`` records the
/// answer. The save is sent for the account that was signed in when the user asked for it: see ``/StorefrontDomain/AccountVersion``. If the save fails, the profile is as it was before the save, and the form keeps the typed text. No answer ever discards
/// what a user has typed. Whitespace alone is no edit: only a new value from the service replaces it. The profile of another user
/// replaces the form and its text, because the text belongs to the user who has typed it.
///
/// Close the form when the user signs out, and remove the contents of its storage after that. A closed form stores and sends nothing,
/// also if an answer arrives later. A save in progress and all later intents fail with ``ProfileEditError/closed``. The service may
/// still save a form that was being sent. A load ends, and a later load does nothing. The state does not change any more: a stream of
/// states ends. Closing a closed form does nothing.
public struct ProfileState: Sendable {
  /// Whether the profile is being loaded, for the first time or again.
  public private(set) var isLoading = false

  /// The latest failure of a load. `nil` after a success. Starting a retry does not clear the failure, so that the screen shows the
  /// failure again if the retry is cancelled.
  private var loadFailure: (any Error)?
  /// The form. `nil` before the profile is loaded.
  private var form: ProfileForm?
  /// The text of an earlier run of the app, until the profile is loaded.
  private var restored: SavedProfileDraft?

  /// Whether the form was closed, for example because the user has signed out.
  public private(set) var isClosed = false

  /// The error of the latest write of the form to the storage, or `nil` if it succeeded.
  public private(set) var storageFailure: (any Error)?

  /// - Parameter saved: The text of an earlier run of the app. The form shows it when the profile is loaded.
  package init(restoring saved: SavedProfileDraft? = nil) { restored = saved }

  /// The profile, or the reason why there is none. During a save, it is the profile that is being saved.
  public var content: ViewState<Profile> {
    if let form { return .loaded(form.profile) }
    if isLoading { return .loading }
    return loadFailure.map(ViewState.failed) ?? .idle
  }

  /// Whether the profile is being loaded again.
  public var isRefreshing: Bool { isLoading && form != nil }

  /// The error of the last refresh that was not cancelled. `nil` if that refresh succeeded, and during a refresh.
  public var refreshFailure: (any Error)? { form == nil || isLoading ? nil : loadFailure }

  /// The text in the form. `nil` before the profile is loaded.
  public var draft: Profile.Draft? { form?.draft }

  /// Whether the text in the form differs from the confirmed profile. Whitespace around a value is ignored.
  public var isDirty: Bool { form?.isDirty ?? false }

  /// The errors of the invalid fields. A field is invalid if its text breaks a rule, or if the service has refused this text.
  public var errors: [ProfileField: ProfileValidationError] { form?.errors ?? [:] }

  /// Whether a save is in progress.
  public var isSaving: Bool { form?.isSaving ?? false }

  /// The service's newer profile, if a save failed because the form is based on an older one. `nil` after the
  /// user has resolved the conflict.
  public var conflict: Profile? { form?.conflict }

  /// The error of the last save, until the next save or a revert. `nil` if the service has refused a value or reported a conflict:
  /// see ``errors`` and ``conflict``.
  public var saveFailure: (any Error)? { form?.failure }

  /// Whether the form has changes and can be saved now.
  public var canSave: Bool {
    guard let form else { return false }
    return form.isDirty && form.obstacle == nil
  }

  /// Whether an intent needs a request. `.load` needs none if the profile is loaded or being loaded. `.refresh` always needs one.
  package func needsRequest(for intent: LoadIntent) -> Bool {
    switch intent {
    case .load: form == nil && !isLoading && !isClosed
    case .refresh: !isClosed
    }
  }

  /// Records that the profile is being loaded. The view model replaces the request of a load in progress, if any.
  package mutating func begin() { isLoading = true }

  /// Records the result of the load. Edited fields keep their text, if the profile is of the same user. A cancellation has the effect of ``cancel()``.
  package mutating func receive(_ outcome: TaskOutcome<Profile>) {
    isLoading = false
    switch outcome {
    case .success(let profile):
      loadFailure = nil
      if form == nil {
        form = ProfileForm(profile, restoring: restored.take())
      } else {
        form?.refresh(profile)
      }
    case .failure(let error): loadFailure = error
    case .cancelled: break
    }
  }

  /// Ends the load, and restores the state from before it. A save continues.
  package mutating func cancel() { isLoading = false }

  /// Carries out an intent.
  ///
  /// - Returns: The request to send, or `nil` if there is nothing to send. Pass the result of the request to ``endSave(_:)``.
  /// - Throws: A ``ProfileEditError``. The state is then unchanged.
  package mutating func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    if isClosed { throw .closed }
    guard var form else { throw .notLoaded }
    let save = try form.begin(intent)
    self.form = form
    return save
  }

  /// Ends the pending save. Text that was typed during the save stays in the form, and is not saved.
  package mutating func endSave(_ outcome: TaskOutcome<Profile>) {
    if !isClosed { form?.endSave(outcome) }
  }

  /// What a storage has to keep: the text, if it differs from the confirmed profile.
  package var saved: SavedProfileDraft? { form == nil ? restored : form?.saved }

  /// Records the result of a write to the storage.
  package mutating func recordWrite(_ result: Result<Void, any Error>) {
    guard !isClosed else { return }
    switch result {
    case .success: storageFailure = nil
    case .failure(let error): storageFailure = error
    }
  }

  /// Closes the form for good: ends the load, and the save, if any, as after a failure.
  package mutating func close() {
    endSave(.cancelled)
    (isClosed, isLoading) = (true, false)
  }
}

/// An intent of the profile's form: what the user asks for.
package enum ProfileIntent: Sendable {
  /// Changes the text of a field. If the text is invalid, ``ProfileState/errors`` contains the error of the field.
  case edit(ProfileField, to: String)
  /// Restores the text of the confirmed profile, on which the form is based. A conflict stays.
  case revert
  /// Saves the form. Sends nothing if the form does not differ from the confirmed profile.
  case save
  /// Resolves a conflict.
  case resolve(ProfileConflictChoice)
}

/// The resolution of a conflict.
public enum ProfileConflictChoice: Sendable, CaseIterable {
  /// Saves the form over the service's profile.
  case keepingMine
  /// Replaces the form with the service's profile.
  case keepingTheirs
}

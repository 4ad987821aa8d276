public import AsyncViewModels
public import StorefrontDomain

/// The state of the profile's screen, and the rules by which it changes. All three stages use it, and none adds a rule.
///
/// A save has two steps: ``begin(_:)`` returns the request, if any, and shows it at once; ``endSave(_:)`` takes the answer. If the
/// service refuses, the profile is as it was, and the form keeps the typed text: no answer ever discards what a user has typed.
public struct ProfileState: Sendable {
  /// Whether the profile is being loaded, for the first time or again.
  public private(set) var isLoading = false

  /// The latest failure of a load, until a success. Kept during a retry, so that cancelling the retry restores it.
  private var loadFailure: (any Error)?
  /// The form. `nil` before the profile is loaded.
  private var form: ProfileForm?

  package init() {}

  /// The profile, or the reason why there is none. With a pending save, the profile as the service will have it.
  public var content: ViewState<Profile> {
    if let form { return .loaded(form.profile) }
    if isLoading { return .loading }
    return loadFailure.map(ViewState.failed) ?? .idle
  }

  /// Whether the profile is being loaded again.
  public var isRefreshing: Bool { isLoading && form != nil }

  /// The error of the last refresh, until a retry begins.
  public var refreshFailure: (any Error)? { form == nil || isLoading ? nil : loadFailure }

  /// The text in the form. `nil` before the profile is loaded.
  public var draft: Profile.Draft? { form?.draft }

  /// Whether the form differs from the confirmed profile. A value that is edited back does not count.
  public var isDirty: Bool { form?.isDirty ?? false }

  /// The invalid fields: by the rules, or because the service refused the value that is still in the field.
  public var errors: [ProfileField: ProfileValidationError] { form?.errors ?? [:] }

  /// Whether a save is in progress.
  public var isSaving: Bool { form?.isSaving ?? false }

  /// The service's profile, if it is newer than the one that the form is based on. It stays until the user chooses.
  public var conflict: Profile? { form?.conflict }

  /// The error of the last save, until the next one, unless a value or a conflict is the reason.
  public var saveFailure: (any Error)? { form?.failure }

  /// Whether a save has something to send and is possible.
  public var canSave: Bool {
    guard let form else { return false }
    return form.isDirty && form.obstacle == nil
  }

  /// Whether a load needs a request: not if the profile is loaded or being loaded.
  package func needsRequest(for intent: LoadIntent) -> Bool {
    switch intent {
    case .load: form == nil && !isLoading
    case .refresh: true
    }
  }

  /// Records that the profile is being loaded, and replaces a load in progress.
  package mutating func begin() { isLoading = true }

  /// Shows the result of the load. Edited fields stay. A cancellation has the effect of ``cancel()``.
  package mutating func receive(_ outcome: TaskOutcome<Profile>) {
    isLoading = false
    switch outcome {
    case .success(let profile):
      loadFailure = nil
      if form == nil { form = ProfileForm(profile) } else { form?.refresh(profile) }
    case .failure(let error): loadFailure = error
    case .cancelled: break
    }
  }

  /// Restores the state before the load. A save continues.
  package mutating func cancel() { isLoading = false }

  /// Carries out an intent.
  ///
  /// - Returns: The request for the service, to be ended with ``endSave(_:)``, or `nil` if there is nothing to send.
  /// - Throws: A ``ProfileEditError``. The state is then as it was.
  package mutating func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    guard var form else { throw .notLoaded }
    let save = try form.begin(intent)
    self.form = form
    return save
  }

  /// Ends the pending save. Text that was typed since stays, and is not saved.
  package mutating func endSave(_ outcome: TaskOutcome<Profile>) { form?.endSave(outcome) }
}

/// An intent of the profile's form.
package enum ProfileIntent: Sendable {
  /// Changes a field. An invalid value is in ``ProfileState/errors``.
  case edit(ProfileField, to: String)
  /// Restores the confirmed profile. A conflict stays.
  case revert
  /// Saves the form. Nothing is sent if it does not differ from the confirmed profile.
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

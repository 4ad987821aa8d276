public import AsyncViewModels
public import StorefrontDomain

/// The state of the profile's screen, and its rules, for all three stages.
///
/// - `load` requests the profile, unless it is loaded. It joins a load in progress.
/// - `refresh` requests the profile again. Edited fields keep their text. The old profile stays
///   until the response arrives, and after a failure. A refresh replaces a load in progress, whose
///   callers wait for it.
/// - `cancel` restores the state from before the load. A save continues.
/// - `edit` changes the text of a field. Invalid text is in ``errors``.
/// - `revert` restores the text of the confirmed profile. Fails during a save. A conflict stays.
/// - `save` shows the new profile at once, and sends the form if it differs from the confirmed
///   profile. It fails with a ``ProfileEditError``, a ``/StorefrontDomain/ProfileError`` or the
///   error of the request. After a failure, the profile is as before, and the form keeps its text.
/// - `resolve` ends a conflict: it saves the form over the newer profile, or replaces the form.
/// - `flush` stores the text of the form. Call it before the storage closes or the app is
///   suspended: text typed during a write is stored only after it.
/// - `close` ends the form for good, when the user signs out. Only the write in progress continues:
///   remove the contents of the storage after it. A save in progress and all later intents fail
///   with ``ProfileEditError/closed``, although the service may still save a form being sent. The
///   state no longer changes, and streams of states end.
///
/// No response discards what a user has typed. Whitespace alone is no edit: a new value from the
/// service replaces it. The profile of another user replaces the form, because the text belongs to
/// the user who typed it. A save is sent for the account at the time of its intent: see
/// ``/StorefrontDomain/AccountVersion``.
///
/// A storage keeps the text while it differs from the confirmed profile. After a restart, edited
/// fields show it again, and an edited field that was also changed elsewhere is a ``conflict``.
/// During a save or a write, use no second view model with the storage, even after the first is
/// released. A load for another user removes its contents.
public struct ProfileState: Sendable {
  private var form = Loadable<ProfileForm>()
  /// The text of an earlier run of the app, until the profile is loaded.
  private var restored: SavedProfileDraft?

  /// Whether the form was closed, for example at sign-out.
  public private(set) var isClosed = false

  /// The error of the latest write to the storage, or `nil` if it succeeded.
  public private(set) var storageFailure: (any Error)?

  /// - Parameter saved: The text of an earlier run of the app.
  package init(restoring saved: SavedProfileDraft? = nil) { restored = saved }

  /// The profile, or why there is none. During a save, this is the profile that is being saved.
  public var content: ViewState<Profile> { form.content.map(\.profile) }

  /// Whether the profile is being loaded, for the first time or again.
  public var isLoading: Bool { form.isLoading }

  /// Whether the profile is being loaded again.
  public var isRefreshing: Bool { form.isReloading }

  /// The error of the last completed refresh. `nil` after a success and during a refresh.
  public var refreshFailure: (any Error)? { form.reloadFailure }

  /// The text in the form. `nil` before the profile is loaded.
  public var draft: Profile.Draft? { form.value?.draft }

  /// Whether the text differs from the confirmed profile. Whitespace around a value is ignored.
  public var isDirty: Bool { form.value?.isDirty ?? false }

  /// The errors of the fields whose text breaks a rule, or was refused by the service.
  public var errors: [ProfileField: ProfileValidationError] { form.value?.errors ?? [:] }

  /// Whether a save is in progress.
  public var isSaving: Bool { form.value?.isSaving ?? false }

  /// The service's newer profile, from a failed save until the user resolves the conflict.
  public var conflict: Profile? { form.value?.conflict }

  /// The error of the last save, until the next save or a revert. Refused values are in ``errors``.
  public var saveFailure: (any Error)? { form.value?.failure }

  /// Whether the form has changes and can be saved now.
  public var canSave: Bool {
    guard let form = form.value else { return false }
    return form.isDirty && form.obstacle == nil
  }

  package func needsRequest(for intent: LoadIntent) -> Bool {
    !isClosed && form.needsRequest(for: intent)
  }

  package mutating func begin() { form.begin() }

  package mutating func receive(_ outcome: TaskOutcome<Profile>) {
    form.receive(
      outcome.map { profile in
        guard var form = form.value else { return ProfileForm(profile, restoring: restored.take()) }
        form.refresh(profile)
        return form
      })
  }

  package mutating func cancel() { form.cancel() }

  /// Executes an intent.
  ///
  /// - Returns: The request to send, if any. Pass its result to ``endSave(_:)``.
  /// - Throws: A ``ProfileEditError``. The state is then unchanged.
  package mutating func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    if isClosed { throw .closed }
    guard var form = form.value else { throw .notLoaded }
    let save = try form.begin(intent)
    self.form.update { $0 = form }
    return save
  }

  /// Ends the pending save. Text that was typed meanwhile stays in the form.
  package mutating func endSave(_ outcome: TaskOutcome<Profile>) {
    if !isClosed { form.update { $0.endSave(outcome) } }
  }

  /// What a storage has to keep.
  package var saved: SavedProfileDraft? { form.value == nil ? restored : form.value?.saved }

  package mutating func recordWrite(_ result: Result<Void, any Error>) {
    guard !isClosed else { return }
    switch result {
    case .success: storageFailure = nil
    case .failure(let error): storageFailure = error
    }
  }

  package mutating func close() {
    endSave(.cancelled)
    cancel()
    isClosed = true
  }
}

/// An intent of the profile's form. ``ProfileState`` has the rules.
package enum ProfileIntent: Sendable {
  case edit(ProfileField, to: String)
  case revert
  case save
  case resolve(ProfileConflictChoice)
}

/// The resolution of a conflict.
public enum ProfileConflictChoice: Sendable, CaseIterable {
  /// Saves the form over the service's profile.
  case keepingMine
  /// Replaces the form with the service's profile.
  case keepingTheirs
}

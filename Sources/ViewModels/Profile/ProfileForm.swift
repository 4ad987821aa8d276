import AsyncViewModelsRequests
public import Foundation
public import StorefrontDomain

/// The form of a profile: the text in its fields, and the profile on which the text is based.
struct ProfileForm {
  private(set) var draft: Profile.Draft
  private(set) var conflict: Profile?
  /// The error of the last save, except for refused values and conflicts.
  private(set) var failure: (any Error)?

  private var changes: OptimisticChanges<ProfileSave>
  /// The save that the service has not answered.
  private var pending: (id: OptimisticChanges<ProfileSave>.ID, save: ProfileSave)?
  /// Whether a save of another user, whose form this one has replaced, is not answered.
  private var awaitsFormerSave = false
  private var refusals: [ProfileField: Refusal] = [:]

  private struct Refusal {
    let text: String
    let error: ProfileValidationError
  }

  /// - Parameter saved: The text of an earlier run of the app. A field that `profile` confirms is
  ///   not edited any more. ``ProfileState`` has the rules.
  init(_ profile: Profile, restoring saved: SavedProfileDraft? = nil) {
    changes = OptimisticChanges(profile)
    draft = Profile.Draft(profile)
    guard let saved, saved.base.id == profile.id else { return }
    let current = draft.normalized
    let (typed, base) = (saved.draft.normalized, Profile.Draft(saved.base).normalized)
    let edited = ProfileField.allCases.filter { field in
      typed[field] != base[field] && !field.isConfirmed(typed[field], by: current[field])
    }
    for field in edited { draft[field] = saved.draft[field] }
    if edited.contains(where: { current[$0] != base[$0] }) {
      // Only the edited fields differ from the base, also after another restart.
      var text = Profile.Draft(profile)
      for field in edited { text[field] = Profile.Draft(saved.base)[field] }
      changes = OptimisticChanges(saved.base.applying(text))
      conflict = profile
    }
  }

  /// The profile, including the pending save.
  var profile: Profile { changes.value }

  var isSaving: Bool { pending != nil || awaitsFormerSave }

  var isDirty: Bool { draft.normalized != Profile.Draft(changes.confirmed).normalized }

  /// The text and the confirmed profile, if they differ.
  var saved: SavedProfileDraft? { isDirty ? SavedProfileDraft(draft, basedOn: changes.confirmed) : nil }

  var errors: [ProfileField: ProfileValidationError] {
    let text = draft.normalized
    var errors = draft.errors
    for (field, refusal) in refusals where refusal.text == text[field] { errors[field] = refusal.error }
    return errors
  }

  /// The reason why the form cannot be saved now. A refused value is none: it may be accepted now.
  var obstacle: ProfileEditError? {
    if isSaving { return .saveInProgress }
    if let conflict { return .unresolvedConflict(current: conflict) }
    let errors = draft.errors
    return errors.isEmpty ? nil : .invalid(ProfileField.allCases.compactMap { errors[$0] })
  }

  /// Executes an intent. If this method throws, discard the form: it may be partly changed.
  mutating func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    switch intent {
    case .edit(let field, let text): draft[field] = text
    case .revert: try revert()
    case .save: return try save()
    case .resolve(let choice): return try resolve(choice)
    }
    return nil
  }

  /// Ends the pending save. A response with the profile of another user replaces the form.
  mutating func endSave(_ outcome: TaskOutcome<Profile>) {
    guard let (id, save) = pending.take() else {
      awaitsFormerSave = false
      return
    }
    switch outcome {
    case .success(let profile), .failure(ProfileError.conflict(let profile)):
      guard profile.id == changes.confirmed.id else {
        self = ProfileForm(profile)
        return
      }
    case .failure, .cancelled: break
    }
    if case .success(let profile) = outcome {
      let typed = draft.normalized
      let edited = ProfileField.allCases.filter { typed[$0] != save.draft[$0] }
      _ = changes.confirm(id, as: newest(profile, since: save))
      replaceFields(otherThan: edited)
      return
    }
    _ = changes.rollBack(id)
    switch outcome {
    case .failure(ProfileError.conflict(let current)): conflict = newest(current, since: save)
    case .failure(ProfileError.invalid(let error)):
      refusals[error.field] = Refusal(text: save.draft[error.field], error: error)
    case .failure(let error): failure = error
    case .success, .cancelled: break
    }
  }

  /// Updates the form with a newer profile. During a conflict, updates only its profile.
  ///
  /// Ignores a lower version, from before the last save. The profile of another user always
  /// replaces the form.
  mutating func refresh(_ profile: Profile) {
    guard profile.id == changes.confirmed.id else {
      let isSaving = isSaving
      self = ProfileForm(profile)
      awaitsFormerSave = isSaving
      return
    }
    if let conflict {
      if profile.version >= conflict.version { self.conflict = profile }
      return
    }
    guard profile.version >= changes.confirmed.version else { return }
    let (typed, confirmed) = (draft.normalized, Profile.Draft(changes.confirmed).normalized)
    let edited = ProfileField.allCases.filter { typed[$0] != confirmed[$0] }
    _ = changes.rebase(onto: profile)
    replaceFields(otherThan: edited)
  }

  /// Returns the response to a save, or the newer profile of a refresh during the save. Without a
  /// refresh, the response is the newest, even with a lower version: a service can lose versions.
  private func newest(_ response: Profile, since save: ProfileSave) -> Profile {
    let confirmed = changes.confirmed
    return confirmed.version == save.version || response.version >= confirmed.version ? response : confirmed
  }

  private mutating func revert() throws(ProfileEditError) {
    guard !isSaving else { throw .saveInProgress }
    draft = Profile.Draft(changes.confirmed)
    failure = nil
  }

  private mutating func save() throws(ProfileEditError) -> ProfileSave? {
    if let obstacle { throw obstacle }
    (failure, refusals) = (nil, [:])
    guard isDirty else { return nil }
    let save = ProfileSave(draft: draft.normalized, version: changes.confirmed.version)
    pending = (changes.begin(save), save)
    return save
  }

  private mutating func resolve(_ choice: ProfileConflictChoice) throws(ProfileEditError) -> ProfileSave? {
    guard let current = conflict.take() else { throw .nothingToResolve }
    _ = changes.rebase(onto: current)
    switch choice {
    case .keepingMine: return try save()
    case .keepingTheirs:
      draft = Profile.Draft(current)
      return nil
    }
  }

  /// Shows the confirmed values in all fields except `edited`. A field with an equal value keeps
  /// its text, and so the space that a user types before the next word.
  private mutating func replaceFields(otherThan edited: [ProfileField]) {
    let (typed, confirmed) = (draft.normalized, Profile.Draft(changes.confirmed))
    let replaced = ProfileField.allCases.filter { typed[$0] != confirmed.normalized[$0] }
    for field in replaced where !edited.contains(field) { draft[field] = confirmed[field] }
  }
}

/// A request to save the form, based on a version of the profile.
package struct ProfileSave: Equatable, Sendable {
  package let draft: Profile.Draft
  package let version: Int

  package init(draft: Profile.Draft, version: Int) {
    self.draft = draft
    self.version = version
  }

  /// Returns the result of this save. A conflict with a profile that already contains the text is a
  /// success: an earlier request has saved it, and its response was lost.
  package func result(for response: Result<Profile, any Error>) -> Result<Profile, any Error> {
    guard case .failure(ProfileError.conflict(let current)) = response,
      draft.isConfirmed(by: current)
    else { return response }
    return .success(current)
  }
}

extension ProfileSave: OptimisticChange {
  package var orderingKey: Bool { true }

  package func apply(to profile: inout Profile) -> ProfileSave {
    Self.reapply(self, to: &profile)
    return self
  }

  package static func reapply(_ save: ProfileSave, to profile: inout Profile) {
    profile = profile.applying(save.draft)
  }
}

/// The reason why an intent of the profile's screen is refused.
public enum ProfileEditError: Error, Hashable, Sendable {
  /// There is no profile yet.
  case notLoaded
  /// Some values are invalid. The errors are in the order of the fields. Nothing was sent.
  case invalid([ProfileValidationError])
  /// A save is in progress, and may change the profile on which the next save is based.
  case saveInProgress
  /// The service has a newer profile. The user must first choose between it and the form.
  case unresolvedConflict(current: Profile)
  /// There is no conflict.
  case nothingToResolve
  /// The form was closed. The service may have saved a form that was being sent.
  case closed
}

extension ProfileEditError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .notLoaded: "There is no profile yet."
    case .invalid(let errors): errors.map(\.description).joined(separator: " ")
    case .saveInProgress: "A save is in progress."
    case .unresolvedConflict(let current):
      "Version \(current.version) was saved elsewhere: choose which version to keep."
    case .nothingToResolve: "There is no conflict."
    case .closed: "The form is closed."
    }
  }

  public var errorDescription: String? { description }
}

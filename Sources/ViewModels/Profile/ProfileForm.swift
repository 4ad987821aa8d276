import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// The form of a profile: the text in its fields, and the profile on which the text is based.
struct ProfileForm {
  private(set) var draft: Profile.Draft
  private(set) var conflict: Profile?
  /// The error of the last save. `nil` if the service has refused a value or reported a conflict: see `errors` and `conflict`.
  private(set) var failure: (any Error)?

  private var changes: OptimisticChanges<ProfileSave>
  /// The save that the service has not answered yet.
  private var pending: (id: OptimisticChanges<ProfileSave>.ID, save: ProfileSave)?
  /// Whether a save of another user, whose form this form has replaced, is not answered yet.
  private var awaitsFormerSave = false
  private var refusals: [ProfileField: Refusal] = [:]

  private struct Refusal {
    let text: String
    let error: ProfileValidationError
  }

  /// - Parameter saved: The text of an earlier run of the app. Edited fields keep this text, and all other fields show `profile`. A
  ///   field that `profile` confirms is not edited any more.
  ///   If an edited field was also changed elsewhere, `profile` is a conflict. The text of another user is dropped.
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

  /// The profile, including the pending save, if any.
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

  /// The reason why the form cannot be saved now, or `nil`. A value that the service has refused is no obstacle, because the
  /// service may accept the value now.
  var obstacle: ProfileEditError? {
    if isSaving { return .saveInProgress }
    if let conflict { return .unresolvedConflict(current: conflict) }
    let errors = draft.errors
    return errors.isEmpty ? nil : .invalid(ProfileField.allCases.compactMap { errors[$0] })
  }

  /// Carries out an intent. If this method throws, discard the form: it may be partly changed.
  mutating func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    switch intent {
    case .edit(let field, let text): draft[field] = text
    case .revert: try revert()
    case .save: return try save()
    case .resolve(let choice): return try resolve(choice)
    }
    return nil
  }

  /// Ends the pending save. If the answer contains the profile of another user, that profile replaces the form.
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

  /// Updates the form with a profile that was loaded again. Edited fields keep their text. While there is a conflict, only the
  /// profile of the conflict is updated.
  ///
  /// Ignores a profile whose version is lower than the version that the form already has. Such a profile was
  /// requested before the last save. The profile of another user replaces the form, also during a conflict or a save.
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

  /// Returns the answer to a save, or the confirmed profile if a refresh during the save has loaded a newer one. Without such a
  /// refresh, the answer is the newest profile, even if its version is lower: a service can lose versions.
  private func newest(_ answer: Profile, since save: ProfileSave) -> Profile {
    let confirmed = changes.confirmed
    return confirmed.version == save.version || answer.version >= confirmed.version ? answer : confirmed
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

  /// Shows the confirmed values in all fields except `edited`. A field that already contains the value keeps its text, and so the
  /// space that a user types before the next word.
  private mutating func replaceFields(otherThan edited: [ProfileField]) {
    let (typed, confirmed) = (draft.normalized, Profile.Draft(changes.confirmed))
    let replaced = ProfileField.allCases.filter { typed[$0] != confirmed.normalized[$0] }
    for field in replaced where !edited.contains(field) { draft[field] = confirmed[field] }
  }
}

/// A request to save the entire form, based on a version of the profile.
package struct ProfileSave: Equatable, Sendable {
  package let draft: Profile.Draft
  package let version: Int

  package init(draft: Profile.Draft, version: Int) {
    self.draft = draft
    self.version = version
  }

  /// Returns the result of this save for the service's answer. A conflict with a profile that already contains this text is a
  /// success: for example, an earlier request has saved the text, and its answer was lost.
  package func result(for answer: Result<Profile, any Error>) -> Result<Profile, any Error> {
    guard case .failure(ProfileError.conflict(let current)) = answer,
      draft.isConfirmed(by: current)
    else { return answer }
    return .success(current)
  }
}

extension ProfileSave: OptimisticChange {
  /// All saves are sent one after another.
  package var orderingKey: Bool { true }

  package func apply(to profile: inout Profile) -> ProfileSave {
    Self.reapply(self, to: &profile)
    return self
  }

  package static func reapply(_ save: ProfileSave, to profile: inout Profile) {
    profile = profile.applying(save.draft)
  }
}

/// The reason why an intent of the profile's screen is refused. The state is unchanged, except after ``closed``.
public enum ProfileEditError: Error, Hashable, Sendable {
  /// There is no profile yet.
  case notLoaded
  /// Some values are invalid. Their errors are in the order of the fields. Nothing was sent.
  case invalid([ProfileValidationError])
  /// A save is in progress. It may change the profile on which the next save is based.
  case saveInProgress
  /// The service has a newer profile. The user must first choose between the form and that profile.
  case unresolvedConflict(current: Profile)
  /// There is no conflict.
  case nothingToResolve
  /// The form was closed, for example because the user has signed out. The service may have saved a form that was being sent.
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

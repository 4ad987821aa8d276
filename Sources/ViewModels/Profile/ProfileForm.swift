import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// A form that is being filled in, over the last profile that the service is known to have.
struct ProfileForm {
  private(set) var confirmed: Profile
  private(set) var draft: Profile.Draft
  /// What is on its way to the service.
  private(set) var submitted: Profile.Draft?
  private(set) var conflict: Profile?
  private(set) var failure: (any Error)?
  private var refusals: [ProfileField: Refusal] = [:]

  private struct Refusal {
    let text: String
    let error: ProfileValidationError
  }

  init(_ profile: Profile) {
    confirmed = profile
    draft = Profile.Draft(profile)
  }

  var isDirty: Bool { draft.normalized != Profile.Draft(confirmed).normalized }

  var errors: [ProfileField: ProfileValidationError] {
    let text = draft.normalized
    let refused = refusals.filter { text[$0.key] == $0.value.text }.mapValues(\.error)
    return draft.errors.merging(refused) { rule, _ in rule }
  }

  /// Why the form cannot be sent now. What the service refused once may be tried again: it may have changed its mind.
  var obstacle: ProfileEditError? {
    if submitted != nil { return .saveUnderWay }
    if let conflict { return .unresolvedConflict(current: conflict) }
    let errors = draft.errors
    return errors.isEmpty ? nil : .invalid(ProfileField.allCases.compactMap { errors[$0] })
  }

  /// Takes on an intent. Where it throws, the form is half-way, and to be thrown away.
  mutating func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    switch intent {
    case .edit(let field, let text): draft[field] = text
    case .revert: try revert()
    case .save: return try submit()
    case .resolve(let choice): return try resolve(choice)
    }
    return nil
  }

  mutating func receive(_ outcome: TaskOutcome<Profile>) {
    guard let sent = submitted else { return }
    submitted = nil
    switch outcome {
    case .success(let profile): confirm(profile, sent)
    case .failure(ProfileError.conflict(let current)): conflict = current
    case .failure(ProfileError.invalid(let error)):
      refusals[error.field] = Refusal(text: sent[error.field], error: error)
    case .failure(let error): failure = error
    case .cancelled: break
    }
  }

  private mutating func revert() throws(ProfileEditError) {
    guard submitted == nil else { throw .saveUnderWay }
    draft = Profile.Draft(confirmed)
    failure = nil
  }

  private mutating func submit() throws(ProfileEditError) -> ProfileSave? {
    if let obstacle { throw obstacle }
    (failure, refusals) = (nil, [:])
    guard isDirty else { return nil }
    submitted = draft.normalized
    return ProfileSave(draft: draft.normalized, version: confirmed.version)
  }

  private mutating func resolve(_ choice: ProfileConflictChoice) throws(ProfileEditError) -> ProfileSave? {
    guard let current = conflict else { throw .nothingToResolve }
    (confirmed, conflict) = (current, nil)
    switch choice {
    case .keepingMine: return try submit()
    case .keepingTheirs:
      draft = Profile.Draft(current)
      return nil
    }
  }

  /// The service may have put a value differently: that counts, but for what somebody has typed since.
  private mutating func confirm(_ profile: Profile, _ sent: Profile.Draft) {
    let (typed, saved) = (draft.normalized, Profile.Draft(profile))
    for field in ProfileField.allCases where typed[field] == sent[field] { draft[field] = saved[field] }
    confirmed = profile
  }
}

/// Why an intent of the profile's screen cannot be carried out now. The screen is as it was.
public enum ProfileEditError: Error, Hashable, Sendable {
  /// There is no profile yet.
  case notLoaded
  /// These values are wrong, in the order of the fields. Nothing was sent.
  case invalid([ProfileValidationError])
  /// A save is in progress and may change the profile that the next save is based on.
  case saveUnderWay
  /// The service has a newer profile, and the user must first choose between the two.
  case unresolvedConflict(current: Profile)
  /// There is no conflict.
  case nothingToResolve
}

extension ProfileEditError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .notLoaded: "there is no profile yet"
    case .invalid(let errors): errors.map(\.description).joined(separator: "; ")
    case .saveUnderWay: "a save is in progress"
    case .unresolvedConflict(let current):
      "version \(current.version) was saved elsewhere: choose which version to keep"
    case .nothingToResolve: "there is no conflict"
    }
  }

  public var errorDescription: String? { description }
}

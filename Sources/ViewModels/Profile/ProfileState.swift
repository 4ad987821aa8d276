public import AsyncViewModels
public import StorefrontDomain

/// What the profile's screen shows, and the rules by which it changes. All three stages use it; none adds a rule.
///
/// A save goes in two steps: ``begin(_:)`` says what has to be sent, if anything, and shows it at once; ``receiveSaved(_:)`` takes
/// in what came of it. Where the service refuses, the profile is back as it was, and what was typed is
/// kept: nothing that a person has written is ever lost to an answer.
public struct ProfileState: Sendable {
  /// Whether the profile is on its way.
  public private(set) var isLoading = false

  private var loadFailure: (any Error)?
  /// What there is to edit; nil before the profile is there.
  private var form: ProfileForm?

  package init() {}

  /// The profile. While a save is on its way, as it will be if the service takes it on.
  public var content: ViewState<Profile> {
    if let form { return .loaded(form.submitted.map(form.confirmed.applying) ?? form.confirmed) }
    if isLoading { return .loading }
    return loadFailure.map(ViewState.failed) ?? .idle
  }

  /// What stands in the form; nil before the profile is there.
  public var draft: Profile.Draft? { form?.draft }

  /// Whether the form says anything else than what the service is known to have. A value that is edited back does not.
  public var isDirty: Bool { form?.isDirty ?? false }

  /// What is wrong in the form: by the rules, or in the service's opinion as long as the value stands that it refused.
  public var errors: [ProfileField: ProfileValidationError] { form?.errors ?? [:] }

  /// Whether a save is on its way.
  public var isSaving: Bool { form?.submitted != nil }

  /// What the service has by now, where that is not what the form began with. It stays until somebody has decided.
  public var conflict: Profile? { form?.conflict }

  /// Why the last save failed, where neither a value nor a conflict is to blame. Until the next one.
  public var saveFailure: (any Error)? { form?.failure }

  /// Whether a save would have something to send, and nothing against it.
  public var canSave: Bool {
    guard let form else { return false }
    return form.isDirty && form.obstacle == nil
  }

  /// Whether a load has to request anything: not while it is there or on its way.
  public var needsLoading: Bool { form == nil && !isLoading }

  /// Notes that the profile is on its way.
  package mutating func beginLoading() { isLoading = true }

  /// Takes in what came of the load. Cancellation is no failure.
  package mutating func receiveLoaded(_ outcome: TaskOutcome<Profile>) {
    isLoading = false
    switch outcome {
    case .success(let profile): form = ProfileForm(profile)
    case .failure(let error): loadFailure = error
    case .cancelled: break
    }
  }

  /// Leaves the screen: a load is called off, and it is as before. A save goes on.
  package mutating func leave() { isLoading = false }

  /// Takes on an intent at once. Returns what has to be sent for it, whose answer belongs into ``receiveSaved(_:)``; nil where
  /// there is nothing to send.
  ///
  /// - Throws: a ``ProfileEditError``; the state is as it was.
  package mutating func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    guard var form else { throw .notLoaded }
    let save = try form.begin(intent)
    self.form = form
    return save
  }

  /// Takes in what came of the save. Whatever was typed while it was on its way stays, and is dirty.
  package mutating func receiveSaved(_ outcome: TaskOutcome<Profile>) { form?.receive(outcome) }
}

/// What somebody wants of the profile's screen.
package enum ProfileIntent: Sendable {
  /// Writes into a field, right or wrong: see ``ProfileState/errors``.
  case edit(ProfileField, to: String)
  /// Puts back what the service is known to have. A conflict stays, to be decided.
  case revert
  /// Saves what stands in the form. Nothing is sent where the service has it already.
  case save
  /// Decides a conflict.
  case resolve(ProfileConflictChoice)
}

/// What goes to the service: the whole form, and the version that it began with.
package struct ProfileSave: Equatable, Sendable {
  package let draft: Profile.Draft
  package let version: Int

  package init(draft: Profile.Draft, version: Int) {
    self.draft = draft
    self.version = version
  }
}

/// How a conflict is decided.
public enum ProfileConflictChoice: Sendable, CaseIterable {
  /// What stands in the form is saved over what the service has by now.
  case keepingMine
  /// What the service has by now takes the place of what stands in the form.
  case keepingTheirs
}

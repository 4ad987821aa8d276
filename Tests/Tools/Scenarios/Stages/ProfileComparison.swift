import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Variants: with or without a storage.
struct ProfileComparison: ComparedFeature {
  enum Intent {
    case load, refresh, cancel, edit(ProfileField, String), revert, save, resolve(ProfileConflictChoice),
      flush, close
  }

  static let intents: [Intent] = [
    .load, .refresh, .cancel, .edit(.name, "Ada"), .edit(.name, "Bo"), .edit(.email, "x@y.z"),
    .edit(.name, " "),
    .revert, .save, .save, .resolve(.keepingMine), .resolve(.keepingTheirs), .flush,
  ]
  static let steps: [StageStep<Intent>] = [
    .perform(.model(.close)), .perform(.changeAccount), .restart, .restart,
  ]

  private let model: any ProfileDriver

  init(in surroundings: Surroundings) {
    model = surroundings.stage.makeProfile(
      restoring: surroundings.outside.savedDraft, service: surroundings, closures: surroundings,
      storage: surroundings.variant == 0 ? surroundings : nil, isolation: surroundings.world.isolation)
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .load: return outcome(of: await model.load())
    case .refresh: return outcome(of: await model.refresh())
    case .cancel: await model.cancel()
    case .edit(let field, let text): return outcome { try model.edit(field, to: text) }
    case .revert: return outcome { try model.revert() }
    case .save: return outcome(of: model.save())
    case .resolve(let choice): return outcome(of: model.resolve(choice))
    case .flush: return outcome(of: model.flush())
    case .close: return outcome(of: await model.close())
    }
    return nil
  }

  var states: AsyncStream<ProfileState> { model.states() }

  static func shown(_ state: ProfileState) -> KeyValuePairs<String, Any> {
    [
      "content": text(state.content, \.line), "loads": state.isLoading,
      "refresh failure": text(state.refreshFailure),
      "draft": state.draft.map { "\($0.name), \($0.email)" } ?? "none", "dirty": state.isDirty,
      "errors": state.errors.map { "\($0): \($1)" }.sorted(), "saves": state.isSaving,
      "can save": state.canSave, "conflict": state.conflict?.line ?? "none",
      "save failure": text(state.saveFailure), "storage failure": text(state.storageFailure),
      "closed": state.isClosed,
    ]
  }
}

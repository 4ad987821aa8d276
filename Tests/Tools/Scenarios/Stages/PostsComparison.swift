import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

struct PostsComparison: ComparedFeature {
  enum Intent {
    case load, refresh, loadNextPage, retry, cancel, select(Int), delete(Int), restore(Int), close
  }

  static let variants = 1
  static let intents: [Intent] = [
    .load, .refresh, .loadNextPage, .retry, .cancel, .select(1), .delete(1), .delete(2), .delete(3),
    .restore(1),
    .restore(2),
  ]
  static let steps: [StageStep<Intent>] = [
    .perform(.model(.close)), .perform(.changeAccount), .perform(.changeAccount),
  ]

  private let model: any PostsDriver

  init(in surroundings: Surroundings) {
    model = surroundings.stage.makePosts(
      service: surroundings, closures: surroundings, pageSize: 2, isolation: surroundings.world.isolation)
    surroundings.recording.follow(model.events()) { [recording = surroundings.recording] in
      recording.event($0)
    }
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .load: return outcome(of: await model.load())
    case .refresh: return outcome(of: await model.refresh())
    case .loadNextPage: return outcome(of: await model.loadNextPage())
    case .retry: return outcome(of: await model.retry())
    case .cancel: await model.cancel()
    case .select(let id): return outcome { try model.select(.init(rawValue: id)) }
    case .delete(let id): return outcome(of: model.delete(.init(rawValue: id)))
    case .restore(let id): return outcome(of: model.restore(.init(rawValue: id)))
    case .close: await model.close()
    }
    return nil
  }

  var states: AsyncStream<PostsState> { model.states() }

  static func shown(_ state: PostsState) -> KeyValuePairs<String, Any> {
    [
      "content": text(state.content) { "\($0.map { "\($0.id) (\($0.title))" })" }, "has more": state.hasMore,
      "loads": state.isLoading, "refreshes": state.isRefreshing,
      "loads the next page": state.isLoadingNextPage, "refresh failure": text(state.refreshFailure),
      "next page failure": text(state.nextPageFailure), "deletions": state.deletionCount,
      "restorations": state.restorationCount, "closed": state.isClosed,
    ]
  }
}

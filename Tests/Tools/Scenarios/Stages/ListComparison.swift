import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Variants: with or without a feed.
struct ListComparison: ComparedFeature {
  enum Intent { case load, refresh, loadNextPage, retry, cancel }

  static let intents: [Intent] = [.load, .refresh, .loadNextPage, .loadNextPage, .retry, .cancel]
  static let steps: [StageStep<Intent>] = [
    .perform(.publish(product: 1)), .perform(.publish(product: 3)), .perform(.endFeed(fails: true)),
    .perform(.endFeed(fails: false)),
    .perform(.changeAccount),
    .leave,
  ]

  private let model: any ListDriver

  init(in surroundings: Surroundings) {
    let feed = surroundings.variant == 0 ? surroundings.feed : nil
    model = surroundings.stage.makeList(
      service: surroundings, closures: surroundings, feed: feed, closureFeed: feed, pageSize: 2,
      isolation: surroundings.world.isolation)
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .load: return outcome(of: await model.load())
    case .refresh: return outcome(of: await model.refresh())
    case .loadNextPage: return outcome(of: await model.loadNextPage())
    case .retry: return outcome(of: await model.retry())
    case .cancel: await model.cancel()
    }
    return nil
  }

  var states: AsyncStream<ProductListState> { model.states() }

  static func shown(_ state: ProductListState) -> KeyValuePairs<String, Any> {
    [
      "content": text(state.content) { "\($0.map(\.line))" }, "has more": state.hasMore,
      "refreshes": state.isRefreshing, "loads the next page": state.isLoadingNextPage,
      "refresh failure": text(state.refreshFailure), "next page failure": text(state.nextPageFailure),
      "follows": state.following.isActive, "feed failure": text(state.following.failure),
    ]
  }
}

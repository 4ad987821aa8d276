import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Variants: with or without a feed.
struct DetailComparison: ComparedFeature {
  enum Intent { case load, refresh, cancel }

  static let intents: [Intent] = [.load, .refresh, .cancel]
  static let steps: [StageStep<Intent>] = [
    .perform(.publish(product: 1)), .perform(.publish(product: 1)), .perform(.publish(product: 2)),
    .perform(.endFeed(fails: true)),
    .perform(.endFeed(fails: false)),
    .perform(.changeAccount), .leave, .leave,
  ]

  private let model: any DetailDriver

  init(in surroundings: Surroundings) {
    let feed = surroundings.variant == 0 ? surroundings.feed : nil
    model = surroundings.stage.makeDetail(
      itemID: 1, source: .list, service: surroundings, closures: surroundings, feed: feed, closureFeed: feed,
      isolation: surroundings.world.isolation)
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .load: return outcome(of: await model.load())
    case .refresh: return outcome(of: await model.refresh())
    case .cancel: await model.cancel()
    }
    return nil
  }

  var states: AsyncStream<ProductDetailState> { model.states() }

  static func shown(_ state: ProductDetailState) -> KeyValuePairs<String, Any> {
    [
      "content": text(state.content, \.line), "loads": state.isLoading, "refreshes": state.isRefreshing,
      "refresh failure": text(state.refreshFailure), "follows": state.following.isActive,
      "feed failure": text(state.following.failure),
    ]
  }
}

import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Variants: with or without a feed.
struct DetailComparison: ComparedFeature {
  enum Intent { case load, refresh, cancel }

  static let steps: [Step<Intent>] =
    Step.all(of: [.load, .refresh, .cancel]) + [
      .publish(product: 1), .publish(product: 1), .publish(product: 2), .endFeed(fails: true),
      .endFeed(fails: false),
      .changeAccount, .leave, .leave,
    ]

  private let model: any DetailDriver<CatalogProduct>

  init(in surroundings: Surroundings) {
    let (stage, isolation) = (surroundings.stage, surroundings.world.isolation)
    model =
      if surroundings.setup.variant == 0 {
        stage.makeDetail(
          itemID: 1, source: .list, service: surroundings, closures: surroundings, feed: surroundings.feed,
          closureFeed: surroundings.feed, isolation: isolation)
      } else {
        stage.makeDetail(
          itemID: 1, source: .list, service: surroundings, closures: surroundings, isolation: isolation)
      }
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .load: return outcome(of: await model.load())
    case .refresh: return outcome(of: await model.refresh())
    case .cancel: await model.cancel()
    }
    return nil
  }

  var states: AsyncStream<DetailState<CatalogProduct>> { model.states() }

  static func lines(of state: DetailState<CatalogProduct>) -> [String] {
    [
      "content: \(text(state.content, \.line))", "loads: \(state.isLoading)",
      "refreshes: \(state.isRefreshing)",
      "refresh failure: \(text(state.refreshFailure))", "follows: \(state.following.isActive)",
      "feed failure: \(text(state.following.failure))",
    ]
  }
}

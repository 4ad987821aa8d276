import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Variants: with or without a feed.
struct ListComparison: ComparedFeature {
  enum Intent { case load, refresh, loadNextPage, retry, cancel }

  static let steps: [Step<Intent>] =
    Step.all(of: [.load, .refresh, .loadNextPage, .loadNextPage, .retry, .cancel]) + [
      .publish(product: 1), .publish(product: 3), .endFeed(fails: true), .endFeed(fails: false),
      .changeAccount,
      .leave,
    ]

  private let model: any ListDriver<CatalogProduct>

  init(in surroundings: Surroundings) {
    let (stage, isolation) = (surroundings.stage, surroundings.world.isolation)
    model =
      if surroundings.setup.variant == 0 {
        stage.makeList(
          service: surroundings, closures: surroundings, feed: surroundings.feed,
          closureFeed: surroundings.feed,
          pageSize: 2, isolation: isolation)
      } else {
        stage.makeList(service: surroundings, closures: surroundings, pageSize: 2, isolation: isolation)
      }
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

  var states: AsyncStream<PagedListState<CatalogProduct>> { model.states() }

  static func lines(of state: PagedListState<CatalogProduct>) -> [String] {
    [
      "content: \(text(state.content) { "\($0.map(\.line))" })", "has more: \(state.hasMore)",
      "refreshes: \(state.isRefreshing)", "loads the next page: \(state.isLoadingNextPage)",
      "refresh failure: \(text(state.refreshFailure))", "next page failure: \(text(state.nextPageFailure))",
      "follows: \(state.following.isActive)", "feed failure: \(text(state.following.failure))",
    ]
  }
}

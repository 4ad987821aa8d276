import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

struct SearchComparison: ComparedFeature {
  enum Intent { case setQuery(String), submit, loadNextPage, retry, cancel }

  static let variants = 1
  static let steps: [Step<Intent>] =
    Step.all(of: [
      .setQuery("a"), .setQuery("b"), .setQuery(" a"), .submit, .submit, .loadNextPage, .loadNextPage, .retry,
      .cancel,
    ]) + [
      .perform(.setQuery("")), .changeAccount, .leave, .wait(milliseconds: 150), .wait(milliseconds: 300),
      .wait(milliseconds: 300), .wait(milliseconds: 300),
    ]

  private let model: any SearchDriver<TextHit>

  init(in surroundings: Surroundings) {
    model = surroundings.stage.makeSearch(
      service: surroundings, closures: surroundings, clock: surroundings.world.clock, pageSize: 2,
      isolation: surroundings.world.isolation)
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .setQuery(let query): model.setQuery(query)
    case .submit: return outcome(of: model.submit())
    case .loadNextPage: return outcome(of: model.loadNextPage())
    case .retry: return outcome(of: model.retry())
    case .cancel: model.cancel()
    }
    return nil
  }

  var states: AsyncStream<SearchState<TextHit>> { model.states() }

  static func lines(of state: SearchState<TextHit>) -> [String] {
    [
      "query: \(state.query)", "results: \(text(state.results) { "\($0)" })", "has more: \(state.hasMore)",
      "searches: \(state.isSearching)", "loads the next page: \(state.isLoadingNextPage)",
      "next page failure: \(text(state.nextPageFailure))",
    ]
  }
}

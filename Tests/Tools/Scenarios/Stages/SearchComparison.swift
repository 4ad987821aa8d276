import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

struct SearchComparison: ComparedFeature {
  enum Intent { case setQuery(String), submit, loadNextPage, retry, cancel }

  static let variants = 1
  static let intents: [Intent] = [
    .setQuery("a"), .setQuery("b"), .setQuery(" a"), .submit, .submit, .loadNextPage, .loadNextPage, .retry,
    .cancel,
  ]
  static let steps: [StageStep<Intent>] = [
    .perform(.model(.setQuery(""))), .perform(.changeAccount), .leave, .wait(milliseconds: 150),
    .wait(milliseconds: 300),
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

  static func shown(_ state: SearchState<TextHit>) -> KeyValuePairs<String, Any> {
    [
      "query": state.query, "results": text(state.results) { "\($0)" }, "has more": state.hasMore,
      "searches": state.isSearching, "loads the next page": state.isLoadingNextPage,
      "next page failure": text(state.nextPageFailure),
    ]
  }
}

import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// A screen of the guide `MigrateOneViewModel` that searches for typed text and shows the results.
@MainActor
final class SearchScreen {
  private var observation: CancellationToken?
  private(set) var results: ViewState<[SearchHit]> = .idle

  func show(_ search: SearchViewModel<SearchHit>, typedText: AsyncStream<String>) {
    observation = search.transform(input: typedText) { search, text in search.setQuery(text) }
      .observe(on: self) { screen, state in screen.results = state.results }
  }
}

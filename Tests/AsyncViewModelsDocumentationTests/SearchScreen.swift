import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// A screen of the guide `MigrateOneViewModel` that searches for typed text and shows the results.
@MainActor
final class SearchScreen {
  private var observations: [CancellationToken] = []
  private(set) var results: ViewState<[SearchHit]> = .idle

  func show(_ search: SearchViewModel<SearchHit>, typedText: AsyncStream<String>) {
    observations = [
      typedText.observe(on: search) { search, text in search.setQuery(text) },
      search.observe(on: self) { screen, state in screen.results = state.results },
    ]
  }
}

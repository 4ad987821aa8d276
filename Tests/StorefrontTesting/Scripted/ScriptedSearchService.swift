package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A search service with async functions and completion handlers. The test supplies the answers.
package struct ScriptedSearchService<Hit: Sendable & Identifiable>: SearchService, SearchClosureService {
  package let calls: ScriptedCalls<SearchCall, Page<Hit>>

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func results(for query: String, page: PageRequest) async throws -> Page<Hit> {
    try await calls(SearchCall(query, page: page))
  }

  package func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<Hit>, any Error>) -> Void
  ) -> CancellationToken {
    calls(SearchCall(query, page: page), completion: completion)
  }
}

package import AsyncViewModels
package import AsyncViewModelsTesting
import StorefrontDomain

/// A search service with async functions and completion handlers. The test supplies the answers.
package struct ScriptedSearchService<Hit: Sendable>: SearchService, SearchClosureService {
  package let calls: ScriptedCalls<String, [Hit]>

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func results(for query: String) async throws -> [Hit] { try await calls(query) }

  package func results(
    for query: String, completion: @escaping @Sendable (Result<[Hit], any Error>) -> Void
  ) -> CancellationToken {
    calls(query, completion: completion)
  }
}

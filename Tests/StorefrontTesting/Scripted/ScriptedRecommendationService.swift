package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A recommendation service with async functions and completion handlers. The test supplies the answers.
package struct ScriptedRecommendationService: RecommendationService, RecommendationClosureService {
  package let calls: ScriptedCalls<Void, [CatalogProduct]>

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func recommendations() async throws -> [CatalogProduct] { try await calls(()) }

  package func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken {
    calls((), completion: completion)
  }
}

package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A recommendation service with both interfaces. The test supplies the answers.
package struct ScriptedRecommendationService: RecommendationService, RecommendationClosureService {
  package let calls: ScriptedCalls<Void, [Product]>

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func recommendations() async throws -> [Product] { try await calls(()) }

  package func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken {
    calls((), completion: completion)
  }
}

public import AsyncViewModels
public import AsyncViewModelsTesting
public import StorefrontDomain

/// A recommendation service whose answers the test gives, in both forms.
public struct ScriptedRecommendationService: RecommendationService, RecommendationClosureService {
  public let calls: ScriptedCalls<Void, [Product]>

  public init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  public func recommendations() async throws -> [Product] { try await calls(()) }

  public func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken {
    calls((), completion: completion)
  }
}

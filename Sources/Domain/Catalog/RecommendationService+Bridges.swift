import AsyncViewModels

extension RecommendationClosureService {
  /// This service for a caller that has async/await. See ``withCompletionHandler(_:)`` for what it promises.
  public var asAsync: some RecommendationService { AsyncRecommendations(base: self) }
}

extension RecommendationService {
  /// This service for a caller that has completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)`` for what it promises.
  public var asClosure: some RecommendationClosureService { ClosureRecommendations(base: self) }
}

private struct AsyncRecommendations<Base: RecommendationClosureService>: RecommendationService {
  let base: Base

  func recommendations() async throws -> [Product] {
    try await withCompletionHandler { base.recommendations(completion: $0) }
  }
}

private struct ClosureRecommendations<Base: RecommendationService>: RecommendationClosureService {
  let base: Base

  func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion) { try await base.recommendations() }
  }
}

public import AsyncViewModels

/// A service that recommends products to the shopper.
public protocol RecommendationService: Sendable {
  /// Loads the recommended products, best first.
  func recommendations() async throws -> [CatalogProduct]
}

/// The completion-handler form of ``RecommendationService``. See ``PageClosureService`` for the
/// calls.
public protocol RecommendationClosureService: Sendable {
  /// Loads the recommended products, best first.
  func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken
}

extension RecommendationClosureService {
  /// The async form of this service.
  public var asAsync: some RecommendationService { AsyncRecommendations(base: self) }
}

extension RecommendationService {
  /// The completion-handler form of this service.
  public var asClosure: some RecommendationClosureService { ClosureRecommendations(base: self) }
}

private struct AsyncRecommendations<Base: RecommendationClosureService>: RecommendationService {
  let base: Base

  func recommendations() async throws -> [CatalogProduct] {
    try await withCompletionHandler { base.recommendations(completion: $0) }
  }
}

private struct ClosureRecommendations<Base: RecommendationService>: RecommendationClosureService {
  let base: Base

  func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken {
    performForAccount(completion: completion) { try await base.recommendations() }
  }
}

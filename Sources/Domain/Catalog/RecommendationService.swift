public import AsyncViewModels

/// A service that recommends products to the shopper.
public protocol RecommendationService: Sendable {
  /// Loads the recommended products, best first.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. In all other cases,
  ///   the error of the request, usually a ``ServiceError``.
  func recommendations() async throws -> [CatalogProduct]
}

/// The completion-handler form of ``RecommendationService``.
public protocol RecommendationClosureService: Sendable {
  /// Loads the recommended products, best first.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an
  /// error that reports the cancellation, unless the response arrived first. Cancelling or releasing the token
  /// cancels the request.
  func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken
}

extension RecommendationClosureService {
  /// The async form of this service. It calls the service through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some RecommendationService { AsyncRecommendations(base: self) }
}

extension RecommendationService {
  /// The completion-handler form of this service. It calls the service through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
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

public import AsyncViewModels

/// A service that recommends products to the shopper.
public protocol RecommendationService: Sendable {
  /// Loads the recommended products, best first.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. Otherwise the reason
  ///   that the service did not answer, usually a ``ServiceError``.
  func recommendations() async throws -> [Product]
}

/// ``RecommendationService`` with a completion handler.
public protocol RecommendationClosureService: Sendable {
  /// Loads the recommended products, best first.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation it gets an error that
  /// reports the cancellation, unless the response arrived first. Releasing the token cancels the request.
  func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken
}

extension RecommendationClosureService {
  /// This service with async/await. See ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some RecommendationService { AsyncRecommendations(base: self) }
}

extension RecommendationService {
  /// This service with completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)``.
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

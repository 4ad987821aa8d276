public import AsyncViewModels

/// ``RecommendationService`` with a completion handler.
public protocol RecommendationClosureService: Sendable {
  /// Products for the shopper, the best first.
  ///
  /// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
  /// `isCancellation` is true (unless the answer came first). The request is cancelled when the token goes away:
  /// keep it.
  func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken
}

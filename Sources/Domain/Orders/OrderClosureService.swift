public import AsyncViewModels

/// ``OrderService`` with a completion handler.
public protocol OrderClosureService: Sendable {
  /// The shopper's orders, the newest first.
  ///
  /// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
  /// `isCancellation` is true (unless the answer came first). The request is cancelled when the token goes away:
  /// keep it.
  func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken
}

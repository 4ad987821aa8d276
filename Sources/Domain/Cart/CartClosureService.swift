public import AsyncViewModels

/// ``CartService`` with a completion handler.
public protocol CartClosureService: Sendable {
  /// Takes on one change, as a whole or not at all. Do not cancel it: see ``CartService/apply(_:)``.
  ///
  /// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
  /// `isCancellation` is true (unless the answer came first), and nobody knows then whether the change was taken on. The
  /// request is cancelled when the token goes away: see ``runToCompletion(_:completion:)``.
  func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

/// ``CartService`` with a completion handler.
public protocol CartClosureService: Sendable {
  /// Takes on one change, as a whole or not at all.
  ///
  /// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
  /// `isCancellation` is true (unless the answer came first). The request is cancelled when the token goes away:
  /// keep it.
  func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

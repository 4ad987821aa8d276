/// Keeps the shopper's cart, and has the last word on what may be in it.
public protocol CartService: Sendable {
  /// Takes on one change, as a whole or not at all.
  ///
  /// - Throws: `CancellationError` where the task was cancelled before the answer came; else what kept the
  ///   service from answering, as a rule a ``ServiceError``.
  func apply(_ change: CartChange) async throws
}

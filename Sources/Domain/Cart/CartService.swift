/// Keeps the shopper's cart, and has the last word on what may be in it.
public protocol CartService: Sendable {
  /// Takes on one change, as a whole or not at all. Do not cancel it: a cart that then takes it back may show something else than
  /// the service has.
  ///
  /// - Throws: a ``CartError`` where the service would not have it; `CancellationError` where the task was cancelled before the
  ///   answer came, and nobody knows then whether it was taken on; else what kept the service from answering, as a rule a
  ///   ``ServiceError``.
  func apply(_ change: CartChange) async throws
}

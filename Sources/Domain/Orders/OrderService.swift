/// Knows what the shopper has ordered.
public protocol OrderService: Sendable {
  /// The shopper's orders, the newest first.
  ///
  /// - Throws: `CancellationError` where the task was cancelled before the answer came; else what kept the
  ///   service from answering, as a rule a ``ServiceError``.
  func orders() async throws -> [Order]
}

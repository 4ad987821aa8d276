/// Knows what the shopper might like.
public protocol RecommendationService: Sendable {
  /// Products for the shopper, the best first.
  ///
  /// - Throws: `CancellationError` where the task was cancelled before the answer came; else what kept the
  ///   service from answering, as a rule a ``ServiceError``.
  func recommendations() async throws -> [Product]
}

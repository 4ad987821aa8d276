/// Finds things by a text.
public protocol SearchService<Hit>: Sendable {
  associatedtype Hit: Sendable

  /// What matches `query`, the best first; nothing that matches is an empty answer, and no error.
  ///
  /// - Throws: `CancellationError` where the task was cancelled before the answer came; else what kept the
  ///   service from answering, as a rule a ``ServiceError``.
  func results(for query: String) async throws -> [Hit]
}

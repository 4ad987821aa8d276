/// Keeps the posts.
public protocol PostService: Sendable {
  /// All posts, the newest first.
  ///
  /// - Throws: `CancellationError` where the task was cancelled before the answer came; else what kept the
  ///   service from answering, as a rule a ``ServiceError``.
  func posts() async throws -> [Post]

  /// Deletes a post for good.
  ///
  /// - Throws: ``PostError/unknownPost(_:)`` where there is none; `CancellationError` where the task was cancelled before the
  ///   answer came, and nobody knows then whether it was deleted; else what kept the service from answering, as a rule a
  ///   ``ServiceError``.
  func delete(_ id: Post.ID) async throws
}

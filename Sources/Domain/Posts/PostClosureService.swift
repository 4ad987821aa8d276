public import AsyncViewModels

/// ``PostService`` with completion handlers.
///
/// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
/// `isCancellation` is true (unless the answer came first). A request is cancelled when its token goes away: keep it, or
/// see ``runToCompletion(_:completion:)``.
public protocol PostClosureService: Sendable {
  /// All posts, the newest first.
  func posts(completion: @escaping @Sendable (Result<[Post], any Error>) -> Void) -> CancellationToken

  /// Deletes a post for good. Fails with ``PostError/unknownPost(_:)`` where there is none.
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

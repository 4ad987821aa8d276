public import AsyncViewModels

/// A service that returns and deletes posts.
public protocol PostService: Sendable {
  /// Loads all posts, newest first.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. Otherwise the reason
  ///   that the service did not answer, usually a ``ServiceError``.
  func posts() async throws -> [Post]

  /// Deletes a post permanently.
  ///
  /// - Throws: ``PostError/unknownPost(_:)`` if there is no such post. `CancellationError` if the task is
  ///   cancelled before the response arrives: the post may have been deleted or not. Otherwise the reason
  ///   that the service did not answer, usually a ``ServiceError``.
  func delete(_ id: Post.ID) async throws
}

/// ``PostService`` with completion handlers.
///
/// Every method calls `completion` exactly once, on an unspecified queue. After a cancellation it gets an
/// error that reports the cancellation, unless the response arrived first. Releasing the token cancels the
/// request; ``/AsyncViewModels/runToCompletion(_:completion:)`` keeps the token until the response arrives.
public protocol PostClosureService: Sendable {
  /// Loads all posts, newest first.
  func posts(completion: @escaping @Sendable (Result<[Post], any Error>) -> Void) -> CancellationToken

  /// Deletes a post permanently. Fails with ``PostError/unknownPost(_:)`` if there is no such post.
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

extension PostClosureService {
  /// This service with async/await. See ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some PostService { AsyncPosts(base: self) }
}

extension PostService {
  /// This service with completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)``.
  public var asClosure: some PostClosureService { ClosurePosts(base: self) }
}

private struct AsyncPosts<Base: PostClosureService>: PostService {
  let base: Base

  func posts() async throws -> [Post] {
    try await withCompletionHandler { base.posts(completion: $0) }
  }
  func delete(_ id: Post.ID) async throws {
    try await withCompletionHandler { base.delete(id, completion: $0) }
  }
}

private struct ClosurePosts<Base: PostService>: PostClosureService {
  let base: Base

  func posts(completion: @escaping @Sendable (Result<[Post], any Error>) -> Void) -> CancellationToken {
    performAsync(completion: completion) { try await base.posts() }
  }
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion) { try await base.delete(id) }
  }
}

public import AsyncViewModels

/// A service that returns, deletes and restores posts.
public protocol PostService: Sendable {
  /// Loads one page of the posts, newest first. A page contains each post once. If posts are added meanwhile, a post can also be on the
  /// page before.
  ///
  /// The first request has the position ``PagePosition/start``. Each further request has the position that the page before contains
  /// in ``Page/next``.
  ///
  /// - Throws: ``PageError/expired(_:)`` if the service does not know the cursor or no longer knows it.
  ///   `CancellationError` if the task is cancelled before the response arrives. In all other cases,
  ///   the error of the request, usually a ``ServiceError``.
  func posts(_ page: PageRequest) async throws -> Page<Post>

  /// Deletes a post. ``restore(_:)`` undoes this.
  ///
  /// - Throws: ``PostError/unknownPost(_:)`` if there is no such post. `CancellationError` if the task is
  ///   cancelled before the response arrives. In that case, the post may have been deleted or not. In all other
  ///   cases, the error of the request, usually a ``ServiceError``.
  func delete(_ id: Post.ID) async throws

  /// Restores a deleted post. If the post is not deleted, the call succeeds without an effect: the answer to an earlier call can
  /// have been lost.
  ///
  /// - Throws: ``PostError/unknownPost(_:)`` if there has never been such a post, or if it can no longer be restored.
  ///   `CancellationError` if the task is cancelled before the response arrives. In that case, the post may have been restored or
  ///   not. In all other cases, the error of the request, usually a ``ServiceError``.
  func restore(_ id: Post.ID) async throws
}

/// The completion-handler form of ``PostService``.
///
/// Every method calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion`
/// receives an error that reports the cancellation, unless the response arrived first. Cancelling or releasing
/// the token cancels the request. To keep the token until the response arrives, use
/// ``/AsyncViewModels/runToCompletion(_:completion:)``.
public protocol PostClosureService: Sendable {
  /// Loads one page of the posts, newest first. Fails with ``PageError/expired(_:)`` if the service does not know the cursor or no
  /// longer knows it.
  ///
  /// The first request has the position ``PagePosition/start``. Each further request has the position that the page before contains
  /// in ``Page/next``.
  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken

  /// Deletes a post. ``restore(_:completion:)`` undoes this. Fails with ``PostError/unknownPost(_:)`` if there is no such post.
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken

  /// Restores a deleted post. If the post is not deleted, the call succeeds without an effect: the answer to an earlier call can
  /// have been lost. Fails with ``PostError/unknownPost(_:)`` if there has never been such a post, or if it can no longer be restored.
  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

extension PostClosureService {
  /// The async form of this service. It calls the service through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some PostService { AsyncPosts(base: self) }
}

extension PostService {
  /// The completion-handler form of this service. It calls the service through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
  public var asClosure: some PostClosureService { ClosurePosts(base: self) }
}

private struct AsyncPosts<Base: PostClosureService>: PostService {
  let base: Base

  func posts(_ page: PageRequest) async throws -> Page<Post> {
    try await withCompletionHandler { base.posts(page, completion: $0) }
  }
  func delete(_ id: Post.ID) async throws {
    try await withCompletionHandler { base.delete(id, completion: $0) }
  }
  func restore(_ id: Post.ID) async throws {
    try await withCompletionHandler { base.restore(id, completion: $0) }
  }
}

private struct ClosurePosts<Base: PostService>: PostClosureService {
  let base: Base

  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    performForAccount(completion: completion) { try await base.posts(page) }
  }
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    performForAccount(completion: completion) { try await base.delete(id) }
  }
  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    performForAccount(completion: completion) { try await base.restore(id) }
  }
}

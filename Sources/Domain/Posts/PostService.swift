public import AsyncViewModels

/// A service that returns, deletes and restores posts.
public protocol PostService: Sendable {
  /// Loads one page of the posts, newest first. See ``PageService/page(_:)``. A page contains each
  /// post once. If posts are added meanwhile, a post can also be on the page before.
  func posts(_ page: PageRequest) async throws -> Page<Post>

  /// Deletes a post. ``restore(_:)`` undoes this. After a cancellation, the outcome is unknown.
  ///
  /// - Throws: ``PostError/unknownPost(_:)`` if there is no such post.
  func delete(_ id: Post.ID) async throws

  /// Restores a post, if it is deleted. Succeeds otherwise: an earlier response can have been lost.
  /// After a cancellation, the outcome is unknown.
  ///
  /// - Throws: ``PostError/unknownPost(_:)`` if there is no such post, or if it can no longer be
  ///   restored.
  func restore(_ id: Post.ID) async throws
}

/// The completion-handler form of ``PostService``. See ``PageClosureService`` for the calls.
public protocol PostClosureService: Sendable {
  /// Loads one page of the posts, newest first. See ``PostService/posts(_:)``.
  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken

  /// Deletes a post. See ``PostService/delete(_:)``.
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken

  /// Restores a deleted post. See ``PostService/restore(_:)``.
  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

extension PostClosureService {
  /// The async form of this service.
  public var asAsync: some PostService { AsyncPosts(base: self) }
}

extension PostService {
  /// The completion-handler form of this service.
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

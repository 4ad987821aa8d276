import AsyncViewModels

extension PostClosureService {
  /// This service for a caller that has async/await. See ``withCompletionHandler(_:)`` for what it promises.
  public var asAsync: some PostService { AsyncPosts(base: self) }
}

extension PostService {
  /// This service for a caller that has completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)`` for what it promises.
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

public import AsyncViewModels
public import AsyncViewModelsTesting
public import StorefrontDomain

/// A post service whose answers the test gives, in both forms.
public struct ScriptedPostService: PostService, PostClosureService {
  public let loads: ScriptedCalls<Void, [Post]>
  public let deletions: ScriptedCalls<Post.ID, Void>

  public init(ignoringCancellation: Bool = false) {
    loads = ScriptedCalls(ignoringCancellation: ignoringCancellation)
    deletions = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  public func posts() async throws -> [Post] { try await loads(()) }

  public func posts(
    completion: @escaping @Sendable (Result<[Post], any Error>) -> Void
  ) -> CancellationToken {
    loads((), completion: completion)
  }

  public func delete(_ id: Post.ID) async throws { try await deletions(id) }

  public func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    deletions(id, completion: completion)
  }
}

package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A post service with async functions and completion handlers. The test supplies the answers.
package struct ScriptedPostService: PostService, PostClosureService {
  package let loads: ScriptedCalls<PageRequest, Page<Post>>
  package let deletions: ScriptedCalls<Post.ID, Void>
  package let restorations: ScriptedCalls<Post.ID, Void>

  package init(ignoringCancellation: Bool = false) {
    loads = ScriptedCalls(ignoringCancellation: ignoringCancellation)
    deletions = ScriptedCalls(ignoringCancellation: ignoringCancellation)
    restorations = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func posts(_ page: PageRequest) async throws -> Page<Post> { try await loads(page) }

  package func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    loads(page, completion: completion)
  }

  package func delete(_ id: Post.ID) async throws { try await deletions(id) }

  package func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    deletions(id, completion: completion)
  }

  package func restore(_ id: Post.ID) async throws { try await restorations(id) }

  package func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    restorations(id, completion: completion)
  }
}

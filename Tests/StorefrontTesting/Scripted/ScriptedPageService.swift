package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A page service with async functions and completion handlers. The test supplies the answers.
package struct ScriptedPageService<Item: Sendable>: PageService, PageClosureService {
  package let calls: ScriptedCalls<PageRequest, Page<Item>>

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func page(_ request: PageRequest) async throws -> Page<Item> { try await calls(request) }

  package func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Item>, any Error>) -> Void
  ) -> CancellationToken {
    calls(request, completion: completion)
  }
}

package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A service of pages whose answers the test gives, in both forms.
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

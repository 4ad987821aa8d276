public import AsyncViewModels
public import AsyncViewModelsTesting
public import StorefrontDomain

/// A service of pages whose answers the test gives, in both forms.
public struct ScriptedPageService<Item: Sendable>: PageService, PageClosureService {
  public let calls: ScriptedCalls<PageRequest, Page<Item>>

  public init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  public func page(_ request: PageRequest) async throws -> Page<Item> { try await calls(request) }

  public func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Item>, any Error>) -> Void
  ) -> CancellationToken {
    calls(request, completion: completion)
  }
}

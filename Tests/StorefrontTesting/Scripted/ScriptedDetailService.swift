public import AsyncViewModels
public import AsyncViewModelsTesting
public import StorefrontDomain

/// A service of details whose answers the test gives, in both forms.
public struct ScriptedDetailService<Item: Sendable & Identifiable>: DetailService, DetailClosureService
where Item.ID: Sendable {
  public let calls: ScriptedCalls<Item.ID, Item>

  public init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  public func detail(of id: Item.ID) async throws -> Item { try await calls(id) }

  public func detail(
    of id: Item.ID, completion: @escaping @Sendable (Result<Item, any Error>) -> Void
  ) -> CancellationToken {
    calls(id, completion: completion)
  }
}

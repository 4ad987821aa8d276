package import AsyncViewModels
package import AsyncViewModelsTesting
import StorefrontDomain

/// A detail service with async functions and completion handlers. The test supplies the answers.
package struct ScriptedDetailService<Item: Sendable & Identifiable>: DetailService, DetailClosureService
where Item.ID: Sendable {
  package let calls: ScriptedCalls<Item.ID, Item>

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func detail(of id: Item.ID) async throws -> Item { try await calls(id) }

  package func detail(
    of id: Item.ID, completion: @escaping @Sendable (Result<Item, any Error>) -> Void
  ) -> CancellationToken {
    calls(id, completion: completion)
  }
}

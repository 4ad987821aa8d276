package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// An order service with async functions and completion handlers. The test supplies the answers.
package struct ScriptedOrderService: OrderService, OrderClosureService {
  package let calls: ScriptedCalls<Void, [Order]>

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func orders() async throws -> [Order] { try await calls(()) }

  package func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken {
    calls((), completion: completion)
  }
}

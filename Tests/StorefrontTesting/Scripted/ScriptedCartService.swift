package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A cart service with async functions and completion handlers. The test supplies the answers.
package struct ScriptedCartService: CartService, CartClosureService {
  package let calls: ScriptedCalls<CartChange, Void>

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func apply(_ change: CartChange) async throws { try await calls(change) }

  package func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    calls(change, completion: completion)
  }
}

public import AsyncViewModels
public import AsyncViewModelsTesting
public import StorefrontDomain

/// A cart service whose answers the test gives, in both forms.
public struct ScriptedCartService: CartService, CartClosureService {
  public let calls: ScriptedCalls<CartChange, Void>

  public init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  public func apply(_ change: CartChange) async throws { try await calls(change) }

  public func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    calls(change, completion: completion)
  }
}

public import AsyncViewModels
public import AsyncViewModelsTesting
public import StorefrontDomain

/// An order service whose answers the test gives, in both forms.
public struct ScriptedOrderService: OrderService, OrderClosureService {
  public let calls: ScriptedCalls<Void, [Order]>

  public init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  public func orders() async throws -> [Order] { try await calls(()) }

  public func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken {
    calls((), completion: completion)
  }
}

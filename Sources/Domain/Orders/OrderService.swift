public import AsyncViewModels

/// A service that returns the shopper's orders.
public protocol OrderService: Sendable {
  /// Loads the shopper's orders, newest first.
  func orders() async throws -> [Order]
}

/// The completion-handler form of ``OrderService``. See ``PageClosureService`` for the calls.
public protocol OrderClosureService: Sendable {
  /// Loads the shopper's orders, newest first.
  func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken
}

extension OrderClosureService {
  /// The async form of this service.
  public var asAsync: some OrderService { AsyncOrders(base: self) }
}

extension OrderService {
  /// The completion-handler form of this service.
  public var asClosure: some OrderClosureService { ClosureOrders(base: self) }
}

private struct AsyncOrders<Base: OrderClosureService>: OrderService {
  let base: Base

  func orders() async throws -> [Order] {
    try await withCompletionHandler { base.orders(completion: $0) }
  }
}

private struct ClosureOrders<Base: OrderService>: OrderClosureService {
  let base: Base

  func orders(completion: @escaping @Sendable (Result<[Order], any Error>) -> Void) -> CancellationToken {
    performForAccount(completion: completion) { try await base.orders() }
  }
}

import AsyncViewModels

extension OrderClosureService {
  /// This service for a caller that has async/await. See ``withCompletionHandler(_:)`` for what it promises.
  public var asAsync: some OrderService { AsyncOrders(base: self) }
}

extension OrderService {
  /// This service for a caller that has completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)`` for what it promises.
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
    performAsync(completion: completion) { try await base.orders() }
  }
}

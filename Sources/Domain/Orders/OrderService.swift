public import AsyncViewModels

/// A service that returns the shopper's orders.
public protocol OrderService: Sendable {
  /// Loads the shopper's orders, newest first.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. Otherwise the reason
  ///   that the service did not answer, usually a ``ServiceError``.
  func orders() async throws -> [Order]
}

/// ``OrderService`` with a completion handler.
public protocol OrderClosureService: Sendable {
  /// Loads the shopper's orders, newest first.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation it gets an error that
  /// reports the cancellation, unless the response arrived first. Releasing the token cancels the request.
  func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken
}

extension OrderClosureService {
  /// This service with async/await. See ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some OrderService { AsyncOrders(base: self) }
}

extension OrderService {
  /// This service with completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)``.
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

public import AsyncViewModels

/// A service that returns the shopper's orders.
public protocol OrderService: Sendable {
  /// Loads the shopper's orders, newest first.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. In all other cases,
  ///   the error of the request, usually a ``ServiceError``.
  func orders() async throws -> [Order]
}

/// The completion-handler form of ``OrderService``.
public protocol OrderClosureService: Sendable {
  /// Loads the shopper's orders, newest first.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an
  /// error that reports the cancellation, unless the response arrived first. Cancelling or releasing the token
  /// cancels the request.
  func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken
}

extension OrderClosureService {
  /// The async form of this service. It calls the service through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some OrderService { AsyncOrders(base: self) }
}

extension OrderService {
  /// The completion-handler form of this service. It calls the service through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
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

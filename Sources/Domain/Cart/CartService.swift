public import AsyncViewModels

/// A service that stores the shopper's cart and decides which changes it accepts.
public protocol CartService: Sendable {
  /// Applies one change, completely or not at all.
  ///
  /// - Important: Do not cancel this call. If a local cart rolls the change back after a cancellation, the
  ///   local cart may differ from the service's cart.
  /// - Throws: ``CartError`` if the service rejects the change. `CancellationError` if the task is cancelled
  ///   before the response arrives. In that case, the change may have been applied or not. In all other cases,
  ///   the error of the request, usually a ``ServiceError``.
  func apply(_ change: CartChange) async throws
}

/// The completion-handler form of ``CartService``.
public protocol CartClosureService: Sendable {
  /// Applies one change, completely or not at all. Do not cancel the request: see ``CartService/apply(_:)``.
  /// Fails with a ``CartError`` if the service rejects the change.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an
  /// error that reports the cancellation, unless the response arrived first. Cancelling or releasing the token
  /// cancels the request. After a cancellation, the change may have been applied or not.
  /// To keep the token until the response arrives, use ``/AsyncViewModels/runToCompletion(_:completion:)``.
  func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

extension CartClosureService {
  /// The async form of this service. It calls the service through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some CartService { AsyncCart(base: self) }
}

extension CartService {
  /// The completion-handler form of this service. It calls the service through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
  public var asClosure: some CartClosureService { ClosureCart(base: self) }
}

private struct AsyncCart<Base: CartClosureService>: CartService {
  let base: Base

  func apply(_ change: CartChange) async throws {
    try await withCompletionHandler { base.apply(change, completion: $0) }
  }
}

private struct ClosureCart<Base: CartService>: CartClosureService {
  let base: Base

  func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion) { try await base.apply(change) }
  }
}

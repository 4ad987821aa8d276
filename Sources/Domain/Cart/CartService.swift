public import AsyncViewModels

/// A service that stores the shopper's cart and decides which changes it accepts.
public protocol CartService: Sendable {
  /// Loads the cart.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. In all other cases, the error of the
  ///   request, usually a ``ServiceError``.
  func cart() async throws -> Cart

  /// Makes one change, completely or not at all.
  ///
  /// A change with the key of an earlier change is not made again: the service answers as it answered the earlier one. So after
  /// an error that is no refusal, the change can be sent again with the same key.
  ///
  /// - Important: Do not cancel this call: after a cancellation, the change may have been made or not.
  /// - Throws: ``CartError`` if the service refuses the change. `CancellationError` if the task is cancelled before the response
  ///   arrives. In all other cases, the error of the request, usually a ``ServiceError``. See ``ServiceError/isRefusal`` for the
  ///   errors after which the change may have been made.
  func apply(_ change: CartChange, key: IdempotencyKey) async throws
}

/// The completion-handler form of ``CartService``.
public protocol CartClosureService: Sendable {
  /// Loads the cart.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an error that reports
  /// the cancellation, unless the response arrived first. Cancelling or releasing the token cancels the request.
  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken

  /// Makes one change, completely or not at all, and only once for each key. Do not cancel the request: see
  /// ``CartService/apply(_:key:)``. Fails with a ``CartError`` if the service refuses the change.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an
  /// error that reports the cancellation, unless the response arrived first. Cancelling or releasing the token
  /// cancels the request. After a cancellation, the change may have been made or not.
  /// To keep the token until the response arrives, use ``/AsyncViewModels/runToCompletion(_:completion:)``.
  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
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

  func cart() async throws -> Cart {
    try await withCompletionHandler { base.cart(completion: $0) }
  }
  func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await withCompletionHandler { base.apply(change, key: key, completion: $0) }
  }
}

private struct ClosureCart<Base: CartService>: CartClosureService {
  let base: Base

  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    performForAccount(completion: completion) { try await base.cart() }
  }
  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    performForAccount(completion: completion) { try await base.apply(change, key: key) }
  }
}

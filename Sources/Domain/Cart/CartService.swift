public import AsyncViewModels

/// A service that stores the shopper's cart and decides which changes it accepts.
public protocol CartService: Sendable {
  /// Loads the cart.
  func cart() async throws -> Cart

  /// Makes one change, completely or not at all.
  ///
  /// A change with the key of an earlier change is answered as before, and not made again. So the
  /// change can be sent again after an error that is no refusal: see ``ServiceError/isRefusal``.
  ///
  /// - Important: Do not cancel this call: the change may then have been made or not.
  /// - Throws: ``CartError`` if the service refuses the change.
  func apply(_ change: CartChange, key: IdempotencyKey) async throws
}

/// The completion-handler form of ``CartService``. See ``PageClosureService`` for the calls.
public protocol CartClosureService: Sendable {
  /// Loads the cart.
  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken

  /// Makes one change, completely or not at all. See ``CartService/apply(_:key:)``.
  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

extension CartClosureService {
  /// The async form of this service.
  public var asAsync: some CartService { AsyncCart(base: self) }
}

extension CartService {
  /// The completion-handler form of this service.
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

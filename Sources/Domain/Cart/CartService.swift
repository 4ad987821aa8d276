public import AsyncViewModels

/// A service that stores the shopper's cart and decides which changes it accepts.
public protocol CartService: Sendable {
  /// Applies one change, completely or not at all.
  ///
  /// - Important: Do not cancel this call. A local cart that then rolls the change back may differ from the
  ///   service's cart.
  /// - Throws: ``CartError`` if the service rejects the change. `CancellationError` if the task is cancelled
  ///   before the response arrives: the change may have been applied or not. Otherwise the reason that the
  ///   service did not answer, usually a ``ServiceError``.
  func apply(_ change: CartChange) async throws
}

/// ``CartService`` with a completion handler.
public protocol CartClosureService: Sendable {
  /// Applies one change, completely or not at all. Do not cancel it: see ``CartService/apply(_:)``.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation it gets an error that
  /// reports the cancellation, unless the response arrived first. Releasing the token cancels the request.
  /// The change may then have been applied or not. ``/AsyncViewModels/runToCompletion(_:completion:)`` keeps
  /// the token until the response arrives.
  func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

extension CartClosureService {
  /// This service with async/await. See ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some CartService { AsyncCart(base: self) }
}

extension CartService {
  /// This service with completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)``.
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

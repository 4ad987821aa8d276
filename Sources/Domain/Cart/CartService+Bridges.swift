import AsyncViewModels

extension CartClosureService {
  /// This service for a caller that has async/await. See ``withCompletionHandler(_:)`` for what it promises.
  public var asAsync: some CartService { AsyncCart(base: self) }
}

extension CartService {
  /// This service for a caller that has completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)`` for what it promises.
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

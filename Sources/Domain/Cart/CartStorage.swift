public import AsyncViewModels

/// A storage that keeps the shopper's cart and its unanswered changes on the device.
public protocol CartStorage: Sendable {
  /// Loads the newest cart.
  ///
  /// - Throws: ``StorageError``. `CancellationError` if the task is cancelled first.
  func load() async throws -> StoredValue<SavedCart>

  /// Saves a cart, and returns when this cart or a newer one survives a crash.
  ///
  /// - Throws: ``StorageError`` if neither is saved. `CancellationError` after a cancellation,
  ///   which ends only the wait. A task that is cancelled before the call saves nothing.
  func save(_ cart: SavedCart) async throws
}

/// The completion-handler form of ``CartStorage``.
///
/// Each method calls `completion` exactly once, on any queue. After a cancellation, `completion`
/// receives an error that reports it, unless the result arrived first.
public protocol CartClosureStorage: Sendable {
  /// Loads the newest cart. Cancelling or releasing the token cancels the request.
  func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedCart>, any Error>) -> Void
  ) -> CancellationToken

  /// Saves a cart. See ``CartStorage/save(_:)``. Cancelling or releasing the token ends only the
  /// wait.
  func save(
    _ cart: SavedCart, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

extension CartClosureStorage {
  /// The async form of this storage.
  public var asAsync: some CartStorage { AsyncCartStorage(base: self) }
}

extension CartStorage {
  /// The completion-handler form of this storage.
  public var asClosure: some CartClosureStorage { ClosureCartStorage(base: self) }
}

private struct AsyncCartStorage<Base: CartClosureStorage>: CartStorage {
  let base: Base

  func load() async throws -> StoredValue<SavedCart> {
    try await withCompletionHandler { base.load(completion: $0) }
  }
  func save(_ cart: SavedCart) async throws {
    try await withCompletionHandler { base.save(cart, completion: $0) }
  }
}

private struct ClosureCartStorage<Base: CartStorage>: CartClosureStorage {
  let base: Base
  private let writes = SerialWrites()

  init(base: Base) { self.base = base }

  func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedCart>, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { try await base.load() }
  }
  func save(
    _ cart: SavedCart, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    writes.perform({ try await base.save(cart) }, completion: completion)
  }
}

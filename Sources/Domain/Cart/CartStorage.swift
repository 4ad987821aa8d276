public import AsyncViewModels

/// A storage that keeps the shopper's cart, and the changes that its service has not answered, on the device.
public protocol CartStorage: Sendable {
  /// Loads the newest cart.
  ///
  /// - Returns: The cart, or `nil` in ``StoredValue/value`` if no cart is stored.
  /// - Throws: ``StorageError``. `CancellationError` if the task is cancelled before the cart is loaded.
  func load() async throws -> StoredValue<SavedCart>

  /// Saves a cart, and returns when this cart or a newer one survives a crash.
  ///
  /// - Throws: ``StorageError`` if neither this cart nor a newer one is saved. `CancellationError` if the task is
  ///   cancelled first. If the task was already cancelled before the call, the cart is not saved. In all other
  ///   cases, the cancellation ends only the wait.
  func save(_ cart: SavedCart) async throws
}

/// The completion-handler form of ``CartStorage``.
public protocol CartClosureStorage: Sendable {
  /// Loads the newest cart.
  ///
  /// Calls `completion` exactly once, on an unspecified queue, with the cart or a ``StorageError``. After a
  /// cancellation, `completion` receives an error that reports the cancellation, unless the result arrived first.
  /// Cancelling or releasing the token cancels the request.
  func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedCart>, any Error>) -> Void
  ) -> CancellationToken

  /// Saves a cart, and calls `completion` when this cart or a newer one survives a crash.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. Fails with a ``StorageError`` if neither this cart
  /// nor a newer one is saved. Cancelling or releasing the token ends only the wait: `completion` receives an error
  /// that reports the cancellation, unless the result arrived first.
  func save(
    _ cart: SavedCart, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken
}

extension CartClosureStorage {
  /// The async form of this storage. It calls the storage through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some CartStorage { AsyncCartStorage(base: self) }
}

extension CartStorage {
  /// The completion-handler form of this storage. It calls the storage through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
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
    performAsync(completion: completion) { try await base.load() }
  }
  func save(
    _ cart: SavedCart, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    writes.perform({ try await base.save(cart) }, completion: completion)
  }
}

/// What a store does if another store uses its file.
public enum StoreAccess: Hashable, Sendable {
  /// Fails with ``/StorefrontDomain/StorageError/inUse(file:)``. The next call tries again.
  case failIfInUse
  /// Tries again after each interval of at least one millisecond, without blocking a thread. Ends
  /// when the file is free, or when all callers have cancelled and no value must be written. Any of
  /// several waiting stores can be the next.
  case waitUntilFree(checkingEvery: Duration = .milliseconds(100))
}

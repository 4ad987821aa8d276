/// What a store does if another store uses its file.
public enum StoreAccess: Hashable, Sendable {
  /// Fails with ``/StorefrontDomain/StorageError/inUse(file:)``. The next call of the store tries again.
  case failIfInUse
  /// Tries again after each interval, until the file is free, or until all callers have cancelled and no value must be
  /// written. No thread is blocked. An interval below one millisecond counts as one millisecond. If several stores wait, any of them can be the next.
  case waitUntilFree(checkingEvery: Duration = .milliseconds(100))
}

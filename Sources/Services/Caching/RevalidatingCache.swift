package import AsyncViewModels
package import Dispatch
import Synchronization

/// Keeps loaded values in memory, and loads them again when they are stale.
///
/// | stored value | reader receives |
/// | --- | --- |
/// | none, or expired | the loaded value |
/// | fresh | the stored value, without a request |
/// | stale, or ``Revalidation/always`` | the stored value, then the loaded value |
///
/// Concurrent readers of one key share one request, which is cancelled when the last one leaves. A
/// removal also discards the responses to earlier requests. After a failed load, the stored value
/// stays with its age, unless the error reports that the value does not exist.
///
/// - Isolation: None. The cache holds no lock while it loads or releases values.
/// - Ownership: Readers do not retain the cache. Their requests continue after its release.
/// - Complexity: O(1) for each member, plus O(removed values).
/// - Important: The cache hashes keys under its lock. `Key` must be a plain value, such as an id.
package final class RevalidatingCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let store: RevalidatingStore<Key, Value>
  private let pressure: CancellationToken

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - options: How much the cache keeps, and for how long.
  ///   - cost: Returns the cost of a value, in the unit of the limit. Must not be negative.
  ///   - isGone: Returns whether an error reports that the value does not exist.
  ///   - load: Requests a value.
  package init(
    options: CacheOptions, cost: @escaping @Sendable (Value) -> Int = { _ in 1 },
    isGone: @escaping @Sendable (any Error) -> Bool = { _ in false },
    load: @escaping @Sendable (Key) async throws -> Value
  ) {
    let store = RevalidatingStore(options: options, cost: cost, isGone: isGone, load: load)
    self.store = store
    pressure = options.memoryPressure.register { [weak store] in store?.removeAll() }
  }

  deinit { pressure.cancel() }

  package var count: Int { store.entries.withLock { $0.count } }

  package var totalCost: Int { store.entries.withLock { $0.totalCost } }

  /// The number of readers that wait for the newest request for `key`.
  package func readerCount(for key: Key) -> Int { store.readerCount(for: key) }

  /// Returns the stored value if it is fresh. Otherwise, loads the value.
  package func value(for key: Key) async throws -> Value {
    let (usable, epoch) = store.use(key)
    if let usable, usable.isFresh { return usable.value }
    return try await store.value(for: key, in: epoch)
  }

  /// Creates a reader, which receives the stored value, if there is one, and then the loaded value.
  ///
  /// The request begins with this call. The stream ends after the loaded value, or after the stored
  /// value if no request is necessary. It throws the error of the request.
  ///
  /// - Cancellation: Cancelling the task or releasing the stream ends the reader without an error.
  package func readings(
    for key: Key, revalidating revalidation: Revalidation = .ifStale
  ) -> AsyncThrowingStream<CacheReading<Value>, any Error> {
    let (usable, epoch) = store.use(key)
    let (stream, reader) = AsyncThrowingStream<CacheReading<Value>, any Error>.makeStream()
    if let usable {
      reader.yield(.cached(usable.value, age: usable.age))
      guard !usable.isFresh || revalidation == .always else {
        reader.finish()
        return stream
      }
    }
    let leave = CancellationToken {}
    let request = CancellationToken.run { result in
      if case .success(let value) = result { reader.yield(.fresh(value)) }
      // The stream of a reader that has left ends without an error.
      reader.finish(throwing: leave.isCancelled ? nil : result.failure)
    } _: { [store] in
      try await store.value(for: key, in: epoch)
    }
    reader.onTermination = { _ in
      leave.cancel()
      request.cancel()
    }
    return stream
  }

  /// Calls `receive` on `queue` with the stored value, if any, and then with the loaded value.
  ///
  /// `completion` is called once, on `queue`, with the result of the request. Cancelling or
  /// releasing the token ends the reader. After a cancellation on a serial `queue`, neither closure
  /// is called. Otherwise, at most one call is still running or about to begin.
  package func readings(
    for key: Key, revalidating revalidation: Revalidation = .ifStale, on queue: DispatchQueue,
    receive: @escaping @Sendable (CacheReading<Value>) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    readings(for: key, revalidating: revalidation).observe(on: queue, receive, completion: completion)
  }

  package func removeValue(for key: Key) { store.removeValue(for: key) }

  package func removeAll() { store.removeAll() }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

import AsyncViewModels
import Synchronization

/// Keeps values in memory up to a total cost. If the cost exceeds the limit, the least recently used values are removed.
///
/// - Isolation: None. Use every member from any thread. The cache releases values after it has released its lock.
/// - Complexity: O(1) for each member, plus O(number of removed values).
/// - Important: The cache hashes and compares keys under its lock. So `Key` must be a plain value, such as a `URL`.
package final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Stored: Sendable {
    let value: Value
    let time: Duration
  }

  private let entries: Mutex<RecentEntries<Key, Stored>>
  private let maximumAge: Duration?
  /// The time since the creation of the cache.
  private let time: @Sendable () -> Duration

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - costLimit: The largest total cost of the values, in the unit of their costs.
  ///   - maximumAge: The time after which the cache no longer returns a value. If it is `nil`, values do not age. A value
  ///     that is too old counts until it is looked up, replaced or removed.
  ///   - clock: The clock that measures the age.
  /// - Precondition: `costLimit` is not negative, and `maximumAge` is positive.
  package init(
    costLimit: Int, maximumAge: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    precondition(costLimit >= 0, "MemoryCache: the cost limit must not be negative, but is \(costLimit)")
    precondition(
      maximumAge.map { $0 > .zero } ?? true,
      "MemoryCache: the maximum age must be positive, but is \(String(describing: maximumAge))")
    entries = Mutex(RecentEntries(costLimit: costLimit))
    self.maximumAge = maximumAge
    time = Self.stopwatch(clock)
  }

  /// The sum of the costs of all values.
  package var totalCost: Int { entries.withLock { $0.totalCost } }

  /// The number of values.
  package var count: Int { entries.withLock { $0.count } }

  /// Returns the value for `key`, which becomes the most recently used value. Returns `nil` if there is no value, or if
  /// the value is too old.
  package func value(for key: Key) -> Value? {
    let time = maximumAge == nil ? .zero : time()
    return entries.withLock { [maximumAge] entries -> (current: Value?, expired: Stored?) in
      guard let stored = entries.use(key) else { return (nil, nil) }
      guard let maximumAge, time - stored.time >= maximumAge else { return (stored.value, nil) }
      return (nil, entries.remove(key))
    }.current
  }

  /// Stores a value for `key`, replaces an older value, and removes the least recently used values if the total cost
  /// exceeds the limit.
  ///
  /// A value whose own cost exceeds the limit is not stored. The cache still removes the older value.
  ///
  /// - Precondition: `cost` is not negative.
  package func insert(_ value: Value, for key: Key, cost: Int) {
    precondition(cost >= 0, "MemoryCache: the cost must not be negative, but is \(cost)")
    let stored = Stored(value: value, time: maximumAge == nil ? .zero : time())
    withExtendedLifetime(entries.withLock { $0.insert(stored, for: key, cost: cost) }) {}
  }

  /// Removes the value for `key`.
  package func removeValue(for key: Key) {
    withExtendedLifetime(entries.withLock { $0.remove(key) }) {}
  }

  /// Removes all values, for example after a memory warning.
  package func removeAll() {
    withExtendedLifetime(entries.withLock { $0.removeAll() }) {}
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

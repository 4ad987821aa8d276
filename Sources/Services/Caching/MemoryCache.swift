import Synchronization

/// Keeps values in memory, up to a total cost. The least recently used values leave first.
///
/// - Isolation: None. The cache releases values after it has released its lock.
/// - Complexity: O(1) for each member, plus O(removed values).
/// - Important: The cache hashes keys under its lock. `Key` must be a plain value, such as a `URL`.
package final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let entries: Mutex<RecentEntries<Key, Value>>

  /// - Precondition: `costLimit` is not negative.
  package init(costLimit: Int) {
    precondition(costLimit >= 0, "MemoryCache: the cost limit must not be negative, but is \(costLimit)")
    entries = Mutex(RecentEntries(costLimit: costLimit))
  }

  package var totalCost: Int { entries.withLock { $0.totalCost } }

  package var count: Int { entries.withLock { $0.count } }

  /// Returns the value for `key`, which becomes the most recently used one.
  package func value(for key: Key) -> Value? { entries.withLock { $0.use(key) } }

  /// Stores a value in place of an older one, unless its own cost exceeds the limit.
  ///
  /// - Precondition: `cost` is not negative.
  package func insert(_ value: Value, for key: Key, cost: Int) {
    precondition(cost >= 0, "MemoryCache: the cost must not be negative, but is \(cost)")
    withExtendedLifetime(entries.withLock { $0.insert(value, for: key, cost: cost) }) {}
  }

  package func removeValue(for key: Key) {
    withExtendedLifetime(entries.withLock { $0.remove(key) }) {}
  }

  package func removeAll() {
    withExtendedLifetime(entries.withLock { $0.removeAll() }) {}
  }
}

import Synchronization

/// Keeps values of any age in memory, up to a total cost. If the cost exceeds the limit, the least recently used values
/// are removed.
///
/// - Isolation: None. Use every member from any thread. The cache releases values after it has released its lock.
/// - Complexity: O(1) for each member, plus O(number of removed values).
/// - Important: The cache hashes and compares keys under its lock. So `Key` must be a plain value, such as a `URL`.
package final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let entries: Mutex<RecentEntries<Key, Value>>

  /// Creates an empty cache.
  ///
  /// - Parameter costLimit: The largest total cost of the values, in the unit of their costs.
  /// - Precondition: `costLimit` is not negative.
  package init(costLimit: Int) {
    precondition(costLimit >= 0, "MemoryCache: the cost limit must not be negative, but is \(costLimit)")
    entries = Mutex(RecentEntries(costLimit: costLimit))
  }

  /// The sum of the costs of all values.
  package var totalCost: Int { entries.withLock { $0.totalCost } }

  /// The number of values.
  package var count: Int { entries.withLock { $0.count } }

  /// Returns the value for `key`, which becomes the most recently used value.
  package func value(for key: Key) -> Value? { entries.withLock { $0.use(key) } }

  /// Stores a value for `key`, replaces an older value, and removes the least recently used values if the total cost
  /// exceeds the limit.
  ///
  /// A value whose own cost exceeds the limit is not stored. The cache still removes the older value.
  ///
  /// - Precondition: `cost` is not negative.
  package func insert(_ value: Value, for key: Key, cost: Int) {
    precondition(cost >= 0, "MemoryCache: the cost must not be negative, but is \(cost)")
    withExtendedLifetime(entries.withLock { $0.insert(value, for: key, cost: cost) }) {}
  }

  /// Removes the value for `key`.
  package func removeValue(for key: Key) {
    withExtendedLifetime(entries.withLock { $0.remove(key) }) {}
  }

  /// Removes all values, for example after a memory warning.
  package func removeAll() {
    withExtendedLifetime(entries.withLock { $0.removeAll() }) {}
  }
}

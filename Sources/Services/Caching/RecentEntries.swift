/// Entries with costs in the order of their last use, up to a total cost.
///
/// The entries form a doubly linked list through their keys, so every step takes constant time. The
/// methods return what they remove, so that the caller can release it after an unlock.
struct RecentEntries<Key: Hashable, Value> {
  fileprivate struct Entry {
    var value: Value
    var cost: Int
    var older: Key?
    var newer: Key?
  }

  private let costLimit: Int
  private var entries: [Key: Entry] = [:]
  private var oldest: Key?
  private var newest: Key?
  private(set) var totalCost = 0

  init(costLimit: Int) { self.costLimit = costLimit }

  var count: Int { entries.count }

  /// The keys, the least recently used first. O(entries).
  var keys: [Key] {
    var keys: [Key] = []
    while let next = keys.last.map({ entries[$0]?.newer }) ?? oldest { keys.append(next) }
    return keys
  }

  /// Returns the value for `key`, which becomes the most recently used one.
  mutating func use(_ key: Key) -> Value? {
    guard let entry = unlink(key) else { return nil }
    link(entry, as: key)
    return entry.value
  }

  /// Stores a value. Returns the older value and the values that exceed the limit.
  mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Value] {
    var removed = remove(key).map { [$0] } ?? []
    guard cost <= costLimit else { return removed }
    while let oldest, totalCost > costLimit - cost {
      if let value = remove(oldest) { removed.append(value) }
    }
    totalCost += cost
    link(Entry(value: value, cost: cost), as: key)
    return removed
  }

  mutating func remove(_ key: Key) -> Value? {
    guard let entry = unlink(key) else { return nil }
    totalCost -= entry.cost
    return entry.value
  }

  mutating func removeAll() -> [Value] {
    let values = entries.values.map(\.value)
    self = RecentEntries(costLimit: costLimit)
    return values
  }

  private mutating func link(_ entry: Entry, as key: Key) {
    var entry = entry
    (entry.older, entry.newer) = (newest, nil)
    if let newest { entries[newest]?.newer = key } else { oldest = key }
    newest = key
    entries[key] = entry
  }

  private mutating func unlink(_ key: Key) -> Entry? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
    return entry
  }
}

extension RecentEntries: Sendable where Key: Sendable, Value: Sendable {}
extension RecentEntries.Entry: Sendable where Key: Sendable, Value: Sendable {}

/// The rules of ``RevalidatingCache``: values with their ages, and the loads that may replace them.
///
/// Only the newest load of a key may store its value, and only if no removal came since it began.
/// So an older response never replaces a newer one, and a removed value does not return.
///
/// The methods return what they remove, so that the caller can release it after an unlock.
struct RevalidatedEntries<Key: Hashable, Value> {
  struct Usable {
    let value: Value
    let age: Duration
    let isFresh: Bool
  }

  /// The permission to store one value for a key.
  struct Load {
    let key: Key
    fileprivate let number: Int
    fileprivate let start: Duration
  }

  enum Ending {
    case value(Value, cost: Int)
    /// The value does not exist.
    case gone
    case failed
  }

  fileprivate struct Entry {
    let value: Value
    let start: Duration
  }

  private let options: CacheOptions
  private var entries: RecentEntries<Key, Entry>
  private var loads: [Key: Int] = [:]
  private var lastNumber = 0

  /// The number of removals. A load of an earlier epoch has no readers of this one.
  private(set) var epoch = 0

  init(options: CacheOptions) {
    self.options = options
    entries = RecentEntries(costLimit: options.costLimit)
  }

  var count: Int { entries.count }

  var totalCost: Int { entries.totalCost }

  /// The number of running loads that may store their value.
  var loadCount: Int { loads.count }

  /// The value for `key`, which becomes the most recently used one. Removes an expired value.
  mutating func use(_ key: Key, at time: Duration) -> (usable: Usable?, removed: Value?) {
    guard let entry = entries.use(key) else { return (nil, nil) }
    // A clock that was set back measures no age. The value is no longer fresh.
    let age = time < entry.start ? options.maximumAge : time - entry.start
    let freshness = options.freshness(at: age)
    guard freshness != .expired else { return (nil, entries.remove(key)?.value) }
    return (Usable(value: entry.value, age: age, isFresh: freshness == .fresh), nil)
  }

  mutating func begin(_ key: Key, at time: Duration) -> Load {
    lastNumber += 1
    loads[key] = lastNumber
    return Load(key: key, number: lastNumber, start: time)
  }

  /// Ends a load. Stores its value, or removes a value that is gone. After a failure, it stays.
  mutating func end(_ load: Load, with ending: Ending) -> [Value] {
    guard loads[load.key] == load.number else { return [] }
    loads[load.key] = nil
    switch ending {
    case .value(let value, let cost):
      return entries.insert(Entry(value: value, start: load.start), for: load.key, cost: cost).map(\.value)
    case .gone: return entries.remove(load.key).map { [$0.value] } ?? []
    case .failed: return []
    }
  }

  /// Removes the value for `key`, and ignores that of a running load.
  mutating func remove(_ key: Key) -> Value? {
    epoch += 1
    loads[key] = nil
    return entries.remove(key)?.value
  }

  /// Removes all values, and ignores those of the running loads.
  mutating func removeAll() -> [Value] {
    epoch += 1
    loads = [:]
    return entries.removeAll().map(\.value)
  }
}

extension RevalidatedEntries: Sendable where Key: Sendable, Value: Sendable {}
extension RevalidatedEntries.Usable: Sendable where Value: Sendable {}
extension RevalidatedEntries.Load: Sendable where Key: Sendable {}
extension RevalidatedEntries.Ending: Sendable where Value: Sendable {}
extension RevalidatedEntries.Entry: Sendable where Value: Sendable {}

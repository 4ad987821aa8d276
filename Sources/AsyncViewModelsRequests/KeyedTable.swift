import Synchronization

/// A table behind a lock. The lock is never held while a key is hashed, compared or released.
///
/// The type of the keys belongs to the app. Its `==` can therefore run any code, such as code that
/// uses this table.
package struct KeyedTable<Key: Hashable & Sendable, Entry: Sendable>: ~Copyable, Sendable {
  /// Identifies a row. No other row of the table ever has the same number.
  package typealias Number = UInt64

  /// A key with its hash value. Create it before the table is locked.
  package struct HashedKey: Sendable {
    fileprivate let key: Key
    fileprivate let hash: Int

    package init(_ key: Key) {
      self.key = key
      hash = key.hashValue
    }
  }

  /// An entry with its key. Release a removed row after the unlock.
  package struct Row: Sendable {
    fileprivate let key: HashedKey
    package var entry: Entry
  }

  /// The content of the table, while the lock is held.
  package struct Content: Sendable {
    /// The rows, to be changed in place. Add and remove rows only with the methods.
    package var rows: [Number: Row] = [:]
    fileprivate var numbers: [Int: [Number]] = [:]
    private var lastNumber: Number = 0

    /// Adds a row for a new key, and returns the number of the row. `make` receives the number,
    /// too.
    package mutating func insert(_ key: HashedKey, _ make: (Number) -> Entry) -> Number {
      lastNumber += 1
      rows[lastNumber] = Row(key: key, entry: make(lastNumber))
      numbers[key.hash, default: []].append(lastNumber)
      return lastNumber
    }

    /// Removes a row. Returns `nil` if there is no row with this number.
    package mutating func remove(_ number: Number) -> Row? {
      guard let row = rows.removeValue(forKey: number) else { return nil }
      numbers[row.key.hash]?.removeAll { $0 == number }
      if numbers[row.key.hash]?.isEmpty == true { numbers[row.key.hash] = nil }
      return row
    }

    /// Removes and returns all rows.
    package mutating func removeAll() -> [Row] {
      defer { (rows, numbers) = ([:], [:]) }
      return Array(rows.values)
    }
  }

  private let guarded = Mutex(Content())

  package init() {}

  /// Runs `body` under the lock. What `body` takes out is released after the unlock.
  @discardableResult
  package func withLock<Output: Sendable>(_ body: (inout Content) -> Output) -> Output {
    guarded.take { body(&$0) }
  }

  /// Runs `body` under the lock, with the number of the key's row or, if the key has no row, with
  /// `nil`.
  ///
  /// - Complexity: O(1). The key is searched again if, meanwhile, another thread has added or
  ///   removed a key with the same hash value.
  package func withLock<Output: Sendable>(
    for key: HashedKey, _ body: (inout Content, Number?) -> Output
  ) -> Output {
    // Copies only the keys: a copy of an entry would keep the entry alive until the keys are
    // compared.
    let (numbers, keys) = guarded.withLock { table in
      let numbers = table.numbers[key.hash] ?? []
      return (numbers, numbers.map { table.rows[$0]?.key })
    }
    let index = keys.firstIndex { $0?.key == key.key }
    let output = guarded.withLock { table -> Output? in
      guard table.numbers[key.hash] ?? [] == numbers else { return nil }
      return body(&table, index.map { numbers[$0] })
    }
    if let output { return withExtendedLifetime(keys) { output } }
    return withLock(for: key, body)
  }
}

import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@testable import AsyncViewModelsRequests

/// The table compares keys without holding its lock. So the table can change during a comparison.
@Suite("KeyedTable", .timeLimit(.minutes(5)), .endsWaits)
struct KeyedTableTests {
  private final class Table: Sendable {
    let rows = KeyedTable<ComparedKey, Int>()

    func insert(_ key: ComparedKey, _ entry: Int) {
      let key = KeyedTable<ComparedKey, Int>.HashedKey(key)
      _ = rows.withLock { $0.insert(key) { _ in entry } }
    }

    func entry(_ key: ComparedKey) -> Int? {
      rows.withLock(for: .init(key)) { table, number in number.flatMap { table.rows[$0]?.entry } }
    }
  }

  private let table = Table()

  @Test("an entry is found by its key until it is removed")
  func lookup() {
    table.insert(ComparedKey(name: "a"), 1)
    table.insert(ComparedKey(name: "b"), 2)
    #expect(table.entry(ComparedKey(name: "b")) == 2)
    #expect(table.rows.withLock { $0.remove(1)?.entry } == 1)
    #expect(table.entry(ComparedKey(name: "a")) == nil)
    #expect(table.rows.withLock { $0.removeAll().map(\.entry) } == [2])
  }

  @Test("a removal does not affect a key with the same hash value")
  func equalHashValues() {
    struct Key: Hashable {
      let name: String
      func hash(into hasher: inout Hasher) {}
    }
    let rows = KeyedTable<Key, Int>()
    let (a, b) = (
      KeyedTable<Key, Int>.HashedKey(Key(name: "a")), KeyedTable<Key, Int>.HashedKey(Key(name: "b"))
    )
    let first = rows.withLock { $0.insert(a) { _ in 1 } }
    let second = rows.withLock { $0.insert(b) { _ in 2 } }
    #expect(rows.withLock { $0.remove(first)?.entry } == 1)
    #expect(rows.withLock(for: b) { $1 } == second)
    #expect(rows.withLock(for: a) { $1 } == nil)
  }

  @Test("removing a row a second time does nothing")
  func removedTwice() {
    table.insert(ComparedKey(name: "a"), 1)
    #expect(table.rows.withLock { $0.remove(1)?.entry } == 1)
    #expect(table.rows.withLock { $0.remove(1) == nil })
  }

  @Test("if the entry is removed while its key is compared, the key is not found")
  func removedMeanwhile() {
    table.insert(ComparedKey(name: "a"), 1)
    let key = ComparedKey(name: "a", whenCompared: { [table] in _ = table.rows.withLock { $0.remove(1) } })
    #expect(table.entry(key) == nil)
  }

  @Test("if the entry is replaced while its key is compared, the new entry is found")
  func replacedMeanwhile() {
    table.insert(ComparedKey(name: "a"), 1)
    let key = KeyedTable<ComparedKey, Int>.HashedKey(ComparedKey(name: "a"))
    let replacing = ComparedKey(
      name: "a",
      whenCompared: { [table] in
        table.rows.withLock { if $0.remove(1) != nil { _ = $0.insert(key) { _ in 2 } } }
      })
    #expect(table.entry(replacing) == 2)
  }
}

import AsyncViewModelsRequests
import AsyncViewModelsTesting
import ListSnapshots
import Testing
import ToolkitTestSupport

@Suite("OptimisticChanges: costs", .timeLimit(.minutes(5)), .endsWaits)
struct OptimisticChangesCostTests {
  private let copies = Tally()

  @Test("a change copies the value's storage at most once, and only if the confirmed value shares it")
  func copiesAtMostOnce() throws {
    var changes = OptimisticChanges<Append>(Numbers(countingCopiesIn: copies))
    try changes.apply(Append(number: 1))
    #expect(copies.count == 0)

    let first = try changes.begin(Append(number: 2))
    #expect(copies.count == 1, "the confirmed value has its own storage from now on")
    let second = try changes.begin(Append(number: 3))
    try changes.apply(Append(number: 4))
    #expect(changes.confirm(second).isEmpty)
    #expect(changes.turn(of: second) == nil, "the change has ended before an earlier one")
    #expect(copies.count == 1)

    #expect(changes.rollBack(first).isEmpty)
    #expect(copies.count == 1, "a rollback copies nothing if no pending change is left to make again")
    #expect(changes.value.all == [1, 3, 4])
    try changes.apply(Append(number: 5))
    #expect(copies.count == 2)
    for number in 6...20 {
      #expect(changes.confirm(try changes.begin(Append(number: number))).isEmpty)
    }
    #expect(copies.count == 2)
    #expect(changes.confirmed.all == changes.value.all)
  }

  @Test("a rollback copies the storage once, for any number of pending changes")
  func rollback() throws {
    var changes = OptimisticChanges<Append>(Numbers(countingCopiesIn: copies))
    let ids = try (1...50).map { try changes.begin(Append(number: $0)) }
    #expect(copies.count == 1)
    for (rounds, id) in ids.prefix(10).enumerated() {
      #expect(changes.rollBack(id).isEmpty)
      #expect(copies.count == rounds + 2)
    }
    #expect(changes.value.all == Array(11...50))
  }

  @Test("changes inside in-place updates of a state copy the storage once, not in each update")
  func insideAState() throws {
    let store = StateStore(OptimisticChanges<Append>(Numbers(countingCopiesIn: copies)))
    for number in 1...20 {
      let id = try store.updateInPlace { try $0.begin(Append(number: number)) }
      store.updateInPlace { changes in _ = changes.confirm(id) }
    }
    #expect(copies.count == 1)
    #expect(store.value.confirmed.all == Array(1...20))
  }

  @Test("all changes in one `update` of a state together copy the storage once")
  func oneUpdate() throws {
    let store = StateStore(OptimisticChanges<Append>(Numbers(countingCopiesIn: copies)))
    try store.update { changes in
      for number in 1...20 { try changes.apply(Append(number: number)) }
    }
    #expect(copies.count == 1)
    #expect(store.value.confirmed.all == Array(1...20))
  }

  @Test(
    "to begin and to confirm a change does not compare it with all pending changes",
    arguments: [1, 500])
  func comparisons(keyCount: Int) {
    let comparisons = Tally()
    var changes = OptimisticChanges<Increment>(0)
    let ids = (0..<500).map { number in
      let key = CountedKey(number: number % keyCount, comparisons: comparisons)
      return changes.resume(Increment(orderingKey: key), with: 1)
    }
    for id in ids {
      #expect(changes.turn(of: id) != nil)
      #expect(changes.confirm(id).count == (keyCount == 1 && id != ids.last ? 1 : 0))
    }
    #expect(changes.confirmed == 500 && changes.pendingCount == 0)
    #expect(comparisons.count < 500 * 20)
  }

  @Test("changes and values that are no longer needed are released")
  func releases() async throws {
    try await LeakTracker.check { tracker in
      var changes = OptimisticChanges<Append>(Numbers(countingCopiesIn: tracker.track(Tally())))
      let ids = try (1...4).map { number in
        try changes.begin(Append(number: number, captured: tracker.track(Gate())))
      }
      #expect(changes.confirm(ids[0]).isEmpty)
      #expect(changes.rollBack(ids[1]).isEmpty)
      #expect(changes.confirm(ids[2], as: Numbers(countingCopiesIn: tracker.track(Tally()))).isEmpty)
      #expect(changes.pendingCount == 1)
      #expect(tracker.survivors.count(where: { $0 == "Gate" }) == 1)
    }
  }
}

/// A copy-on-write list of numbers that counts the copies of its storage.
private struct Numbers: Sendable {
  private final class Storage: @unchecked Sendable {  // Changed only while it has one owner.
    var numbers: [Int]
    init(_ numbers: [Int]) { self.numbers = numbers }
  }

  private var storage = Storage([])
  private let copies: Tally

  init(countingCopiesIn copies: Tally) { self.copies = copies }

  var all: [Int] { storage.numbers }

  mutating func append(_ number: Int) {
    if !isKnownUniquelyReferenced(&storage) {
      copies.increment()
      storage = Storage(storage.numbers)
    }
    storage.numbers.append(number)
  }
}

/// Appends a number. Each change has its own ordering key.
private struct Append: OptimisticChange {
  let number: Int
  var captured: Gate?

  var orderingKey: Int { number }

  func apply(to value: inout Numbers) throws(Refused) -> Int {
    value.append(number)
    return number
  }

  static func reapply(_ number: Int, to value: inout Numbers) { value.append(number) }
}

/// An ordering key that counts how often it is compared.
private struct CountedKey: Hashable, Sendable {
  let number: Int
  let comparisons: Tally

  static func == (left: CountedKey, right: CountedKey) -> Bool {
    left.comparisons.increment()
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Adds 1.
private struct Increment: OptimisticChange {
  let orderingKey: CountedKey

  func apply(to value: inout Int) throws(Refused) -> Int {
    value += 1
    return 1
  }

  static func reapply(_ amount: Int, to value: inout Int) { value += amount }
}

import AsyncViewModelsTesting
import Testing

@testable import StorefrontServices

@Suite("Revalidated entries", .timeLimit(.minutes(5)), .endsWaits)
struct RevalidatedEntriesTests {
  private typealias Entries = RevalidatedEntries<Int, Int>

  /// The same rules, with lists that are searched at each step.
  private struct Model {
    struct Entry {
      var key: Int
      var value: Int
      var cost: Int
      var start: Int
    }

    struct Load {
      var load: Entries.Load
      var start: Int
      var mayStore = true
    }

    /// The least recently used entry first.
    var entries: [Entry] = []
    var loads: [Load] = []

    var totalCost: Int { entries.reduce(0) { $0 + $1.cost } }

    /// The value, the age and the freshness, if the entry can be used.
    mutating func use(_ key: Int, at time: Int) -> (value: Int, age: Int, isFresh: Bool)? {
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: index)
      guard time < entry.start + 8 else { return nil }
      entries.append(entry)
      return (entry.value, time - entry.start, time < entry.start + 3)
    }

    mutating func forbid(_ key: Int?) {
      for index in loads.indices where key == nil || loads[index].load.key == key {
        loads[index].mayStore = false
      }
    }

    mutating func store(_ entry: Entry) {
      entries.removeAll { $0.key == entry.key }
      guard entry.cost <= 20 else { return }
      entries.append(entry)
      while totalCost > 20 { entries.removeFirst() }
    }
  }

  @Test("random steps agree with a simple list", arguments: 1...5)
  func model(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var model = Model()
    var time = 0
    var (usableCount, storedCount, ignoredCount) = (0, 0, 0)
    var entries = Entries(
      options: CacheOptions(maximumAge: .seconds(3), maximumStaleness: .seconds(5), costLimit: 20))
    for step in 0..<5_000 {
      let key = random.next(in: 0...5)
      switch random.next(in: 0...9) {
      case 0: time += random.next(in: 0...3)
      case 1...3:
        let expected = model.use(key, at: time)
        let usable = entries.use(key, at: .seconds(time)).usable
        #expect(usable?.value == expected?.value)
        #expect(usable?.age == (expected?.age).map { .seconds($0) })
        #expect(usable?.isFresh == expected?.isFresh)
        if usable != nil { usableCount += 1 }
      case 4...5:
        model.forbid(key)
        model.loads.append(.init(load: entries.begin(key, at: .seconds(time)), start: time))
      case 6...8:
        guard !model.loads.isEmpty else { continue }
        let ended = model.loads.remove(at: random.next(in: 0...model.loads.count - 1))
        let (key, cost) = (ended.load.key, random.next(in: 0...22))
        let kind = random.next(in: 0...9)
        let ending: Entries.Ending = kind == 0 ? .gone : kind <= 2 ? .failed : .value(step, cost: cost)
        _ = entries.end(ended.load, with: ending)
        guard ended.mayStore else {
          ignoredCount += 1
          break
        }
        switch ending {
        case .value: model.store(.init(key: key, value: step, cost: cost, start: ended.start))
        case .gone: model.entries.removeAll { $0.key == key }
        case .failed: break
        }
        storedCount += 1
      case 9 where random.next(in: 0...9) > 0:
        model.forbid(key)
        #expect(entries.remove(key) == model.entries.first { $0.key == key }?.value)
        model.entries.removeAll { $0.key == key }
      default:
        model.forbid(nil)
        #expect(entries.removeAll().sorted() == model.entries.map(\.value).sorted())
        model.entries = []
      }
      #expect(entries.count == model.entries.count)
      #expect(entries.totalCost == model.totalCost)
      #expect(entries.loadCount == model.loads.count(where: \.mayStore))
    }
    #expect(min(usableCount, storedCount, ignoredCount) > 100, "the steps reach every rule")
  }

  @Test("removed values are returned, so that they outlive the unlock")
  func removedValues() {
    var entries = Entries(
      options: CacheOptions(maximumAge: .seconds(1), maximumStaleness: .zero, costLimit: 2))
    func store(_ value: Int, _ key: Int, at time: Int) -> [Int] {
      entries.end(entries.begin(key, at: .seconds(time)), with: .value(value, cost: 1))
    }
    #expect(store(10, 1, at: 0) == [])
    #expect(store(11, 1, at: 0) == [10])
    #expect(store(20, 2, at: 0) == [])
    #expect(store(30, 3, at: 0) == [11])
    #expect(entries.use(2, at: .seconds(1)).removed == 20)
    #expect(entries.end(entries.begin(3, at: .zero), with: .gone) == [30])
  }

  @Test("without a maximum age, each value is stale at once")
  func alwaysStale() {
    let options = CacheOptions(maximumAge: .zero, maximumStaleness: .seconds(1))
    #expect(options.freshness(at: .zero) == .stale)
    #expect(options.freshness(at: .seconds(1)) == .expired)
    let longest = Duration.seconds(Int64.max)
    #expect(CacheOptions(maximumAge: longest, maximumStaleness: longest).freshness(at: longest) == .stale)
  }

  @Test("after its clock was set back, a value is stale and not fresh for ever")
  func clockSetBack() {
    var entries = Entries(
      options: CacheOptions(maximumAge: .seconds(60), maximumStaleness: .seconds(600)))
    let load = entries.begin(1, at: .seconds(1_000))
    _ = entries.end(load, with: .value(7, cost: 1))
    let usable = entries.use(1, at: .zero).usable
    #expect(usable?.value == 7)
    #expect(usable?.isFresh == false)
    #expect(usable?.age == .seconds(60))
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@testable import StorefrontServices

@Suite("Memory cache", .timeLimit(.minutes(5)), .endsWaits)
struct MemoryCacheTests {
  @Test("the least recently used values leave first, until the new value fits")
  func eviction() {
    let cache = MemoryCache<String, Int>(costLimit: 10)
    for (number, key) in ["a", "b", "c"].enumerated() { cache.insert(number, for: key, cost: 3) }
    #expect(cache.value(for: "a") == 0)
    cache.insert(3, for: "d", cost: 4)
    #expect(["a", "b", "c", "d"].map { cache.value(for: $0) } == [0, nil, 2, 3])
    #expect(cache.totalCost == 10)
    cache.insert(4, for: "e", cost: 10)
    #expect(["a", "c", "d", "e"].map { cache.value(for: $0) } == [nil, nil, nil, 4])
    #expect((cache.count, cache.totalCost) == (1, 10))
  }

  @Test("a new value replaces the old one and its cost, also if the new value is too large")
  func replacement() {
    let cache = MemoryCache<String, Int>(costLimit: 10)
    cache.insert(1, for: "a", cost: 8)
    cache.insert(2, for: "a", cost: 2)
    cache.insert(3, for: "b", cost: 8)
    #expect(cache.value(for: "a") == 2)
    cache.insert(4, for: "a", cost: 11)
    #expect(cache.value(for: "a") == nil)
    #expect(cache.value(for: "b") == 3)
    cache.removeValue(for: "b")
    cache.removeValue(for: "b")
    #expect((cache.count, cache.totalCost) == (0, 0))
  }

  @Test("a memory warning removes all values, which may use the cache while they are released")
  func removal() async throws {
    /// A value whose release uses the cache, which would deadlock under the lock.
    final class Reentrant: Sendable {
      let cache: MemoryCache<Int, Reentrant>
      init(_ cache: MemoryCache<Int, Reentrant>) { self.cache = cache }
      deinit { cache.removeValue(for: -1) }
    }
    try await LeakTracker.check { tracker in
      let cache = tracker.track(MemoryCache<Int, Reentrant>(costLimit: 2))
      for key in 1...4 { cache.insert(tracker.track(Reentrant(cache)), for: key, cost: 1) }
      cache.insert(Reentrant(cache), for: 4, cost: 1)
      cache.removeValue(for: 4)
      #expect(cache.count == 1)
      cache.removeAll()
      #expect((cache.count, cache.totalCost) == (0, 0))
    }
  }

  @Test("random steps agree with a simple list")
  func model() {
    var random = SplitMix64(seed: 7)
    var entries = RecentEntries<Int, Int>(costLimit: 20)
    var model: [(key: Int, value: Int, cost: Int)] = []
    for step in 0..<5_000 {
      let key = random.next(in: 0...9)
      let old = model.firstIndex { $0.key == key }
      switch random.next(in: 0...9) {
      case 0...4:
        let cost = random.next(in: 0...8)
        if let old { model.remove(at: old) }
        _ = entries.insert(step, for: key, cost: cost)
        model.append((key, step, cost))
        while model.reduce(0, { $0 + $1.cost }) > 20 { model.removeFirst() }
      case 5...7:
        let value = entries.use(key)
        #expect(value == old.map { model[$0].value })
        if let old { model.append(model.remove(at: old)) }
      case 8:
        let value = entries.remove(key)
        #expect(value == old.map { model.remove(at: $0).value })
      default:
        guard random.next(in: 0...99) == 0 else { continue }
        #expect(entries.removeAll().count == model.count)
        model = []
      }
      #expect(entries.keys == model.map(\.key))
      #expect(entries.totalCost == model.reduce(0) { $0 + $1.cost })
    }
  }
}

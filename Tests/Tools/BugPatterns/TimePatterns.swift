import AsyncViewModelsSimulation
import Synchronization

extension BugPattern {
  static let onTime = [expiredEntryUsed, closeDeadlines]

  static let expiredEntryUsed = BugPattern(
    "time/expired-entry-used", "a cache returns an entry after its expiry",
    Thread("Cache Expiry .seconds bug", "https://github.com/hyperoslo/Cache/issues/186"), .foundByClocks
  ) { world in
    let cache = Cache(checksExpiry: false)
    try await world.clock.sleep(for: .seconds(3_600))
    world.expect(cache.value == nil || !cache.isExpired, "an expired entry")
  } repaired: { world in
    let cache = Cache(checksExpiry: true)
    try await world.clock.sleep(for: .seconds(3_600))
    world.expect(cache.value == nil || !cache.isExpired, "an expired entry")
  }

  /// A cache with one entry, which lives for a minute.
  private struct Cache {
    private let stored = ContinuousClock.now
    private let checksExpiry: Bool

    init(checksExpiry: Bool) { self.checksExpiry = checksExpiry }

    var isExpired: Bool { stored.duration(to: .now) > .seconds(60) }
    var value: Int? { checksExpiry && isExpired ? nil : 7 }
  }

  private static let closeDeadlines = BugPattern(
    "time/close-deadlines", "code relies on the order of two timers that are a millisecond apart",
    Thread(
      "Updated AsyncScheduler with time-sorted execution",
      "https://github.com/Henryforce/AsyncTimeSequences/pull/14"),
    timerTolerance: .milliseconds(5)
  ) { world in
    await timers(in: world, waitsForLoad: false)
  } repaired: { world in
    await timers(in: world, waitsForLoad: true)
  }

  private static func timers(in world: SimulatedWorld, waitsForLoad: Bool) async {
    let isLoaded = Mutex(false)
    let load = world.spawn("load") {
      try await world.clock.sleep(for: .milliseconds(300))
      isLoaded.withLock { $0 = true }
    }
    let screen = world.spawn("screen") {
      try await world.clock.sleep(for: .milliseconds(301))
      if waitsForLoad { await load.waitForEnd() }
      world.expect(isLoaded.withLock(\.self), "the screen comes before its data")
    }
    await screen.waitForEnd()
  }
}

extension BugPattern.Expectation {
  /// A bug in code that reads the system's clocks.
  static let foundByClocks = found(.expectation)
}

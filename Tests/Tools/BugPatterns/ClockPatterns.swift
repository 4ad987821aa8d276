import AsyncViewModelsSimulation
import Foundation
import Synchronization

// Programs that read the system's clocks.

extension BugPattern {
  static let onClocks = [
    tokenOutlivesExpiry, expiresInFlight, lastEventDropped, slotsSavedUp, clockSetBack,
  ]

  private static let tokenOutlivesExpiry = BugPattern(
    "time/token-outlives-expiry",
    "a leeway is subtracted where it has to be added, so a token is used after its expiry",
    Thread(
      "fix: refreshing tokens at the wrong time", "https://github.com/supabase-community/gotrue-swift/pull/55"
    ),
    .foundByClocks
  ) { world in
    try await callsWithToken(in: world, leeway: -60)
  } repaired: { world in
    try await callsWithToken(in: world, leeway: 60)
  }

  /// Makes a few calls within the two minutes around the expiry of a token.
  private static func callsWithToken(in world: SimulatedWorld, leeway: TimeInterval) async throws {
    var expiry = Date(timeIntervalSinceNow: 300)
    for _ in 1...3 {
      try await world.clock.sleep(for: .seconds(world.choose(from: [200, 130, 30])))
      if expiry < Date(timeIntervalSinceNow: leeway) { expiry = Date(timeIntervalSinceNow: 300) }
      world.expect(expiry > Date(), "the server rejects the token")
    }
  }

  private static let expiresInFlight = BugPattern(
    "time/token-expires-in-flight",
    "a token that is about to expire is sent, and has expired when the request arrives",
    Thread(
      "Change requires refresh to I minute before expiration? (Maybe longer)",
      "https://github.com/AlaskaAirlines/atom/issues/4"),
    .foundByClocks
  ) { world in
    try await requests(in: world, margin: .zero)
  } repaired: { world in
    try await requests(in: world, margin: .seconds(60))
  }

  /// Sends requests, each of which needs up to two seconds until the server checks its token.
  private static func requests(in world: SimulatedWorld, margin: Duration) async throws {
    let clock = ContinuousClock()
    var expiry = clock.now.advanced(by: .seconds(120))
    for _ in 1...3 {
      try await Task.sleep(for: .milliseconds(world.choose(from: [100_000, 59_000, 1_000])))
      if clock.now.advanced(by: margin) >= expiry { expiry = clock.now.advanced(by: .seconds(120)) }
      let token = expiry
      try await Task.sleep(for: .milliseconds(world.choose(from: [100, 2_000])))
      world.expect(clock.now < token, "the token has expired when it arrives")
    }
  }

  private static let lastEventDropped = BugPattern(
    "time/last-event-dropped", "a throttle drops the events within its interval, also the last one",
    Thread(
      "Session replay: screen states inside the throttle window are dropped (Android re-captures them)",
      "https://github.com/PostHog/posthog-ios/issues/766"),
    .foundByClocks
  ) { world in
    try await screens(in: world, isTrailing: false)
  } repaired: { world in
    try await screens(in: world, isTrailing: true)
  }

  /// Shows screens at random times, and records them with a throttle of a second.
  private static func screens(in world: SimulatedWorld, isTrailing: Bool) async throws {
    let recorder = ScreenRecorder(isTrailing: isTrailing)
    for screen in 1...3 {
      try await world.clock.sleep(for: .milliseconds(world.choose(from: [1_500, 400])))
      await recorder.show(screen)
    }
    try await world.clock.sleep(for: .seconds(5))
    world.expectEqual(await recorder.recorded, 3, "the last screen")
  }

  private actor ScreenRecorder {
    private(set) var recorded = 0
    private var shown = 0
    private var lastRecord: Date?
    private var trailing: Task<Void, any Error>?
    private let isTrailing: Bool

    init(isTrailing: Bool) { self.isTrailing = isTrailing }

    func show(_ screen: Int) {
      shown = screen
      let next = lastRecord?.addingTimeInterval(1) ?? .distantPast
      if Date() >= next { return record() }
      guard isTrailing, trailing == nil else { return }
      trailing = Task {
        try await Task.sleep(for: .seconds(next.timeIntervalSinceNow))
        record()
      }
    }

    private func record() {
      (recorded, lastRecord, trailing) = (shown, Date(), nil)
    }
  }

  private static let clockSetBack = BugPattern(
    "time/clock-set-back",
    "a rate limit compares wall-clock times, so nothing passes for a day after the clock is set back",
    Thread(
      "Fix issue that was making the DataLoaderRateLimiter delaying requests unnecessarily if the system clock was moved backwards",
      "https://github.com/spotify/SPTDataLoader/pull/189"),
    .foundByClocks
  ) { world in
    try await limitedRequests(in: world) { Duration.seconds(Date().timeIntervalSince1970) }
  } repaired: { world in
    let start = ContinuousClock.now
    try await limitedRequests(in: world) { start.duration(to: .now) }
  }

  /// Sends requests two seconds apart, of which one may pass in a second.
  private static func limitedRequests(in world: SimulatedWorld, now: () -> Duration) async throws {
    world.faults.wallClockChange(upTo: .seconds(4))
    var (last, passed) = (Duration?.none, 0)
    for _ in 1...3 {
      if last.map({ now() - $0 >= .seconds(1) }) ?? true { (last, passed) = (now(), passed + 1) }
      try await Task.sleep(for: .seconds(2))
    }
    world.expectEqual(passed, 3, "requests:")
  }

  private static let slotsSavedUp = BugPattern(
    "time/slots-saved-up",
    "a throttle counts from the last planned time, so events after a pause are not limited",
    Thread("Fixing throttle bug", "https://github.com/ReactiveCocoa/ReactiveCocoa/pull/1834"),
    .foundByClocks
  ) { world in
    try await taps(in: world) { planned in planned }
  } repaired: { world in
    try await taps(in: world) { planned in max(planned, .now) }
  }

  /// Sends taps at random times, and lets one tap pass in half a second.
  private static func taps(
    in world: SimulatedWorld,
    start: (_ planned: ContinuousClock.Instant) -> ContinuousClock.Instant
  ) async throws {
    var next = ContinuousClock.now
    var lastPassed: ContinuousClock.Instant?
    for _ in 1...4 {
      try await Task.sleep(for: .milliseconds(world.choose(from: [600, 3_000, 100])))
      guard ContinuousClock.now >= next else { continue }
      next = start(next).advanced(by: .milliseconds(500))
      let pause = lastPassed?.duration(to: .now) ?? .seconds(1)
      world.expect(pause >= .milliseconds(500), "two taps within half a second")
      lastPassed = .now
    }
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// A clock whose instants end after 24 days, as on a device that counts milliseconds in 32 bits.
@Suite("Clocks with narrow instants", .timeLimit(.minutes(5)), .endsWaits)
struct NarrowClockTests {
  private struct Ticks: Clock {
    struct Instant: InstantProtocol {
      var milliseconds: Int32

      func advanced(by duration: Duration) -> Instant {
        Instant(milliseconds: milliseconds + Int32(duration / .milliseconds(1)))
      }

      func duration(to other: Instant) -> Duration { .milliseconds(other.milliseconds - milliseconds) }

      static func < (one: Instant, other: Instant) -> Bool { one.milliseconds < other.milliseconds }
    }

    /// Measures the time. The 32 bits begin with its first instant.
    let base = VirtualClock()

    var now: Instant {
      Instant(milliseconds: 0).advanced(by: VirtualClock.Instant(offset: .zero).duration(to: base.now))
    }
    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await base.sleep(
        until: VirtualClock.Instant(offset: .milliseconds(deadline.milliseconds)), tolerance: nil)
    }
  }

  private let clock = Ticks()
  private let late = DeadlineExceeded(duration: .seconds(1))

  private func advance(sleepers: Int = 1) async {
    await clock.base.waitForSleepers(sleepers)
    clock.base.advance(by: .seconds(1))
  }

  @Test("deadlines work")
  func deadlines() async throws {
    #expect(try await withDeadline(.seconds(1), clock: clock) { 1 } == 1)
    #expect(try await withAbandoningDeadline(.seconds(1), clock: clock) { 2 } == 2)
    let end = clock.now.advanced(by: .seconds(1))
    #expect(try await withDeadline(until: end, clock: clock) { 3 } == 3)
    #expect(try await withAbandoningDeadline(until: end, clock: clock) { 4 } == 4)
    let gate = Gate()
    let calls = [
      Task { [clock] in
        try await withDeadline(.seconds(1), clock: clock) { try await gate.waitUnlessCancelled() }
      },
      Task { [clock] in
        try await withAbandoningDeadline(.seconds(1), clock: clock) { try await gate.waitUnlessCancelled() }
      },
      Task { [clock] in
        try await withCompletionHandler(deadline: .seconds(1), clock: clock) { _ in .finished }
      },
    ]
    await advance(sleepers: 3)
    for call in calls { await #expect(throws: late) { try await call.value } }
  }

  @Test("debounced and throttled sequences work")
  func sequences() async throws {
    let state = StateStore(1)
    let debounced = StateRecorder(state.states().debounced(for: .seconds(1), clock: clock))
    await advance()
    try await debounced.first { $0 == 1 }
    let throttled = StateRecorder(state.states().throttled(for: .seconds(1), clock: clock))
    try await throttled.first { $0 == 1 }
    state.send(2)
    await advance(sleepers: 2)
    try await throttled.first { $0 == 2 }
    try await debounced.first { $0 == 2 }
    state.finish()
  }
}

import AsyncViewModelsTesting
import Dispatch
import Testing

@Suite("VirtualClock: sleeping", .timeLimit(.minutes(5)), .endsWaits)
struct VirtualClockTests {
  private let clock = VirtualClock()

  @Test("time advances only when a test advances it")
  func timeAdvancesOnRequest() {
    #expect(clock.now == .start)
    clock.advance(by: .milliseconds(250))
    #expect(clock.now == VirtualClock.Instant(offset: .milliseconds(250)))
    clock.advance(to: VirtualClock.Instant(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(1))
  }

  @Test("several threads can advance the time concurrently")
  func concurrentAdvances() {
    DispatchQueue.concurrentPerform(iterations: 4) { [clock] _ in
      for _ in 0..<2_000 { clock.advance(by: .milliseconds(1)) }
    }
    // Advances of several threads can count from the same time: 2 s if all of them do, and 8 s if none does.
    #expect((2...8).contains(clock.now.offset / .seconds(1)))
  }

  @Test("a sleeping task continues when its deadline is reached, not before")
  func sleeperAwaitsItsDeadline() async throws {
    let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(1_999))
    #expect(clock.sleeperCount == 1)
    #expect(clock.nextDeadline?.offset == .seconds(2))
    clock.advance(by: .milliseconds(1))
    #expect(clock.sleeperCount == 0)
    #expect(clock.nextDeadline == nil)
    try await sleeper.value
  }

  @Test("`waitForSleepers` returns when enough tasks sleep, not before")
  func waitForSleepersCounts() async {
    let enough = Gate()
    let waiting = Task { [clock] in
      await clock.waitForSleepers(2)
      return clock.sleeperCount
    }
    let first = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers(1)
    let second = Task { [clock] in
      await enough.wait()
      try await clock.sleep(for: .seconds(1))
    }
    await enough.waitForArrivals(1)
    enough.open()
    #expect(await waiting.value == 2)
    first.cancel()
    second.cancel()
  }

  @Test("`waitForSleepers` returns if its task is cancelled")
  func waitForSleepersIsCancellable() async {
    let waiting = Task { [clock] in await clock.waitForSleepers(1) }
    waiting.cancel()
    await waiting.value
    #expect(clock.sleeperCount == 0)
  }

  @Test("sleeping until a past instant does not wait")
  func pastDeadlineReturns() async throws {
    clock.advance(by: .seconds(1))
    try await clock.sleep(until: .start)
    try await clock.sleep(for: .zero)
  }

  @Test("a cancelled sleep ends, even if the time does not advance")
  func cancelledSleeperLeaves() async {
    let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers(1)
    sleeper.cancel()
    #expect(clock.sleeperCount == 0)
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.now == .start)
  }

  @Test("a task that is cancelled before it sleeps does not sleep")
  func cancelledBeforeSleeping() async {
    let gate = Gate()
    let sleeper = Task { [clock] in
      await gate.wait()
      try await clock.sleep(for: .seconds(1))
    }
    sleeper.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("if a cancellation races with an advance of the time, no task stays asleep, in 2,000 rounds")
  func cancelAgainstAdvance() async {
    for _ in 0..<2_000 {
      let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
      async let cancelled: Void = sleeper.cancel()
      clock.advance(by: .seconds(1))
      await cancelled
      _ = await sleeper.result
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test("if a cancellation races with the start of a sleep, no task stays asleep, in 5,000 rounds")
  func cancelAgainstSleep() async {
    for _ in 0..<5_000 {
      let started = Gate()
      let sleeper = Task { [clock] in
        started.open()
        try await clock.sleep(for: .seconds(1))
      }
      await started.wait()
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test("the clock can be used as any Clock<Duration>")
  func existential() async throws {
    let erased: any Clock<Duration> = clock
    let sleeper = Task { try await erased.sleep(for: .seconds(1)) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    try await sleeper.value
  }

  #if os(macOS) || os(Linux)
    @Test("moving the time back terminates the process")
    func timeCannotGoBack() async {
      await #expect(processExitsWith: .failure) { VirtualClock().advance(by: .seconds(-1)) }
      await #expect(processExitsWith: .failure) {
        let clock = VirtualClock()
        clock.advance(by: .seconds(1))
        clock.advance(to: .start)
      }
    }
  #endif
}

import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("TaskSlot: runs that start after a pause", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotPauseTests {
  private let clock = VirtualClock()
  private let notes = Notes()
  private let pause = Duration.milliseconds(300)

  /// A clock whose sleeps also reach their deadlines in a cancelled task.
  private struct DeafClock: Clock {
    let base: VirtualClock
    var now: VirtualClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
      try await Task { [base] in try await base.sleep(until: deadline) }.value
    }
  }

  private func start(
    _ number: Int, on owner: SlotOwner, after pause: Duration, isDeaf: Bool = false
  ) -> TaskSlot.Run {
    let clock: any Clock<Duration> = isDeaf ? DeafClock(base: clock) : clock
    return owner.slot.start(after: pause, clock: clock, on: owner) { [notes] in
      notes.add("work \(number)")
      return number
    } commit: { owner, outcome in
      owner.commit(outcome)
    }
  }

  @Test("a burst of starts runs the work of the last one, after its pause, and all callers wait for it")
  func burst() async {
    let owner = SlotOwner()
    var callers: [Task<Void, Never>] = []
    for number in 1...3 {
      let run = start(number, on: owner, after: pause)
      callers.append(await owner.call { _ in await run.wait() })
      await clock.waitForSleepers(1)
      clock.advance(by: pause - .milliseconds(1))
    }
    #expect(owner.isRunning && notes.all.isEmpty)
    clock.advance(by: .milliseconds(1))
    for caller in callers { await caller.value }
    #expect(notes.all == ["work 3"])
    #expect(await owner.committed == [.value(3)])
  }

  @Test(
    "a run that is cancelled during its pause never begins its work, even if the clock notices nothing",
    arguments: [false, true])
  func cancelled(isDeaf: Bool) async {
    let owner = SlotOwner(.serial)
    let run = start(1, on: owner, after: pause, isDeaf: isDeaf)
    await clock.waitForSleepers(1)
    await owner.cancel()
    await run.wait()
    clock.advance(by: pause)
    // The policy `.serial` starts this work when the task of the cancelled run has ended.
    await start(2, on: owner, after: .zero).wait()
    #expect(notes.all == ["work 2"])
    #expect(await owner.committed == [.value(2)])
  }

  @Test("a run that is replaced at the end of its pause never begins its work")
  func replaced() async {
    let owner = SlotOwner()
    let ended = Gate()
    _ = owner.slot.start(after: pause, clock: DeafClock(base: clock), on: owner) {
      [notes, token = Reentrant(1) { ended.open() }] in
      notes.add("work \(token.number)")
      return token.number
    } commit: { owner, outcome in
      owner.commit(outcome)
    }
    await clock.waitForSleepers(1)
    await start(2, on: owner, after: .zero).wait()
    clock.advance(by: pause)
    await ended.wait()
    #expect(notes.all == ["work 2"])
    #expect(await owner.committed == [.value(2)])
  }

  @Test("a start without a pause replaces a start that waits, and does not ask the clock")
  func noPause() async {
    let owner = SlotOwner()
    _ = start(1, on: owner, after: pause)
    await start(2, on: owner, after: .zero).wait()
    #expect(notes.all == ["work 2"])
    #expect(await owner.committed == [.value(2)])
  }

  @Test("a pause is limited to a delay that every clock can represent")
  func endless() async {
    let owner = SlotOwner()
    let run = start(1, on: owner, after: .seconds(Int64.max))
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(10_000_000_000))
    await run.wait()
    #expect(await owner.committed == [.value(1)])
  }
}

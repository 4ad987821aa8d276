import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("TaskSlot: lifetimes", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotLifetimeTests {
  @Test(
    "a caller that waits keeps the owner alive, and no other reference is needed",
    arguments: TaskSlot.Policy.all)
  func callerKeepsTheOwner(policy: TaskSlot.Policy) async throws {
    for steps in [true, false] {
      let (gate, commits) = (Gate(), Tally())
      let slot = TaskSlot(policy)
      try await LeakTracker.check { tracker in
        let caller = Task.detached {
          // The call is the last use of the owner.
          let owner = tracker.track(SlotOwner())
          if steps {
            await slot.run(
              on: owner,
              inSteps: {
                await gate.wait()
                _ = await $0 { _ in commits.increment() }
              }, onCancel: { _ in })
          } else {
            await slot.run(on: owner) {
              await gate.wait()
            } commit: { _, _ in
              commits.increment()
            }
          }
        }
        await gate.waitForArrivals(1)
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        await caller.value
      }
      #expect(commits.count == 1)
    }
  }

  @Test("a caller that waits keeps the slot of the owner alive")
  func callerKeepsTheSlot() async throws {
    let (gate, commits) = (Gate(), Tally())
    try await LeakTracker.check { tracker in
      let caller = Task.detached {
        await tracker.track(SlotOwner()).run {
          await gate.wait()
          return commits.increment()
        }
      }
      await gate.waitForArrivals(1)
      for _ in 0..<100 { await Task.yield() }
      gate.open()
      await caller.value
    }
    #expect(commits.count == 1)
  }

  @Test("if the owner and its slot are released, callers that wait for a started run return at once")
  func ownersEnd() async throws {
    let gate = Gate()
    let run = try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner())
      let run = owner.start {
        await gate.wait()
        return 1
      }
      await gate.waitForArrivals(1)
      return run
    }
    // The work still runs, so only the release of the slot can end this wait.
    await run.wait()
    gate.open()
  }

  @Test("if the slot outlives its owner, a cancelled caller does not wait for the work")
  func cancelledAfterTheOwner() async throws {
    let slot = TaskSlot(.latest)
    let gate = Gate()
    let run = try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner())
      let run = slot.start(on: owner) {
        await gate.wait()
        return 1
      } commit: { owner, outcome in
        owner.commit(outcome)
      }
      await gate.waitForArrivals(1)
      return run
    }
    let caller = Task { await run.wait() }
    caller.cancel()
    // The work still runs, so only the cancellation can end this wait.
    await caller.value
    #expect(!slot.isRunning)
    gate.open()
  }

  @Test("if the slot outlives its owner, callers that wait for a started run return when its work ends")
  func ownerGoneBeforeTheEnd() async throws {
    let slot = TaskSlot(.concurrent)
    let gate = Gate()
    let runs = try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner())
      let runs = (1...2).map { number in
        slot.start(on: owner) {
          await gate.wait()
          return number
        } commit: { owner, outcome in
          owner.commit(outcome)
        }
      }
      await gate.waitForArrivals(2)
      return runs
    }
    let waiter = SlotOwner()
    let staying = await waiter.call { _ in await runs[0].wait() }
    let leaving = await waiter.call { _ in await runs[1].wait() }
    leaving.cancel()
    await leaving.value
    #expect(slot.isRunning)
    gate.open()
    await staying.value
    #expect(!slot.isRunning)
  }

  @Test(
    "releasing the slot cancels the work, and the waiting callers return", arguments: TaskSlot.Policy.all)
  func slotsEnd(policy: TaskSlot.Policy) async throws {
    let owner = SlotOwner()
    let (gate, cancelled) = (Gate(), Tally())
    var slot: TaskSlot? = TaskSlot(policy)
    let run = slot?.start(on: owner) {
      await withTaskCancellationHandler {
        await gate.wait()
      } onCancel: {
        cancelled.increment()
      }
    } commit: { owner, _ in
      owner.add(1)
    }
    await gate.waitForArrivals(1)
    let callers = [await owner.call { _ in await run?.wait() }, await owner.call { _ in await run?.wait() }]
    slot = nil
    for caller in callers { await caller.value }
    #expect(cancelled.count == 1)
    gate.open()
    for _ in 0..<100 { await Task.yield() }
    #expect(await owner.committed == [])
  }

  private enum End: CaseIterable {
    case finished, superseded, cancelled, cancelledAtPosition, abandoned, dropped, refused, neverStarted
  }

  @Test(
    "however a run ends, the slot releases the captures of the run's closures", arguments: End.allCases)
  private func captures(end: End) async throws {
    let owner = SlotOwner(end == .dropped ? .keepRunning : .latest)
    let (gate, other) = (Gate(), Gate())
    let released = Tally()
    if end == .dropped {
      owner.start {
        await other.wait()
        return 0
      }
    }
    if end == .refused { owner.slot.cancel(at: 1) }
    try await LeakTracker.check { tracker in
      // The `deinit` waits for the lock of the slot, so a release under this lock would deadlock.
      let captured = tracker.track(
        Reentrant(1) { [slot = owner.slot] in
          _ = slot.isRunning
          released.increment()
        })
      let work: SlotOwner.Work = {
        await gate.wait()
        return captured.number
      }
      let caller = await owner.call { owner in
        let run = { () -> TaskSlot.Run in
          owner.slot.start(at: end == .refused ? 0 : nil, on: owner, work) { owner, outcome in
            owner.add(captured.number)
          }
        }
        if end == .neverStarted { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        if end == .neverStarted {
          await owner.slot.run(on: owner, work) { owner, outcome in owner.add(captured.number) }
        } else {
          await run().wait()
        }
      }
      switch end {
      case .superseded: owner.start { 2 }
      case .cancelled: owner.slot.cancel()
      case .cancelledAtPosition: owner.slot.cancel(at: 1)
      case .abandoned: caller.cancel()
      case .finished, .dropped, .refused, .neverStarted: break
      }
      gate.open()
      await caller.value
    }
    // The object counts as released as soon as its `deinit` begins, perhaps on another thread.
    try await until { released.count > 0 }
    #expect(released.count == 1)
    other.open()
  }
}

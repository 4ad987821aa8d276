import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("TaskSlot", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotTests {
  private struct Failure: Error {}

  @Test("run returns after the result of the work is committed on the owner", arguments: TaskSlot.Policy.all)
  func commits(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await owner.run { 1 }
    #expect(await owner.committed == [.value(1)])
    #expect(owner.isRunning == false)
    await owner.run { 2 }
    #expect(await owner.committed == [.value(1), .value(2)])
  }

  @Test("an error of the work is committed as an outcome", arguments: TaskSlot.Policy.all)
  func commitsFailure(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await owner.run { throw Failure() }
    await owner.run { throw CancellationError() }
    #expect(await owner.committed == [.failure("Failure()"), .cancelled])
    #expect(owner.isRunning == false)
  }

  @Test("a slot is running from the start of the work to its commit", arguments: TaskSlot.Policy.all)
  func isRunning(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    #expect(owner.isRunning == false)
    let gate = Gate()
    let caller = await owner.call {
      await gate.wait()
      return 1
    }
    #expect(owner.isRunning)
    gate.open()
    await caller.value
    #expect(owner.isRunning == false)
  }

  @Test(
    "after a cancel of the slot, nothing is committed, even if the work ignores cancellation",
    arguments: TaskSlot.Policy.all)
  func cancel(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let (gate, ended) = (Gate(), Tally())
    let work: @Sendable (Int) -> SlotOwner.Work = { number in
      {
        defer { ended.increment() }
        await gate.wait()
        return number
      }
    }
    let callers = [await owner.call(work(1)), await owner.call(work(2))]
    await gate.waitForArrivals(1)
    await owner.cancel()
    #expect(owner.isRunning == false)
    for caller in callers { await caller.value }
    let begun = gate.arrivalCount
    gate.open()
    while ended.count < begun { await Task.yield() }
    #expect(await owner.committed == [])
    await owner.run { 3 }
    #expect(await owner.committed == [.value(3)])
  }

  @Test("a cancel of the slot cancels the work", arguments: TaskSlot.Policy.all)
  func cancelReachesTheWork(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let (gate, noticed) = (Gate(), Gate(isOpen: true))
    owner.start {
      do { try await gate.waitUnlessCancelled() } catch { await noticed.wait() }
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    await noticed.waitForArrivals(1)
  }

  @Test("a cancel between the end of the work and its commit prevents the commit")
  func cancelBeforeTheCommit() async throws {
    let owner = SlotOwner()
    let hasEnded = Atomic(false)
    let countAtCancel = Atomic(0)
    for _ in 0..<200 {
      hasEnded.store(false, ordering: .releasing)
      // Ends when the run's task has released its commit: after that, nothing can be committed.
      try await LeakTracker.check { tracker in
        let captured = tracker.track(Reentrant(1))
        let run = owner.slot.start(on: owner) {
          hasEnded.store(true, ordering: .releasing)
        } commit: { owner, _ in
          owner.add(captured.number)
        }
        await owner.occupy {
          hasEnded.load(ordering: .acquiring)
        } _: {
          $0.slot.cancel()
          countAtCancel.store($0.committed.count, ordering: .releasing)
        }
        await run.wait()
      }
      // A commit that ran before the cancel stands. No commit follows a cancel.
      #expect(await owner.committed.count == countAtCancel.load(ordering: .acquiring))
    }
    let committed = await owner.committed
    await owner.run { 2 }
    #expect(await owner.committed == committed + [.value(2)])
  }

  @Test(
    "releasing the owner cancels the work: neither the slot nor its work keeps the owner alive",
    arguments: TaskSlot.Policy.all)
  func ownersEnd(policy: TaskSlot.Policy) async throws {
    let (gate, cancelled) = (Gate(), Gate(isOpen: true))
    try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner(policy))
      owner.start {
        do { try await gate.waitUnlessCancelled() } catch { await cancelled.wait() }
        return 1
      }
      await gate.waitForArrivals(1)
    }
    await cancelled.waitForArrivals(1)
  }

  @Test("objects that a run captured are freed when it ends", arguments: TaskSlot.Policy.all)
  func freesTheWork(policy: TaskSlot.Policy) async throws {
    let owner = SlotOwner(policy)
    try await LeakTracker.check { tracker in
      let captured = tracker.track(Reentrant(7))
      await owner.run { captured.number }
    }
    #expect(await owner.committed == [.value(7)])
    // A `Run` value does not keep the captures of its run alive.
    let run = try await LeakTracker.check { tracker in
      let captured = tracker.track(Reentrant(8))
      let run = owner.slot.start(on: owner) {
        captured.number
      } commit: { owner, outcome in
        owner.add(captured.number + (outcome.value ?? 0))
      }
      await run.wait()
      return run
    }
    #expect(await owner.committed == [.value(7), .value(16)])
    await run.wait()
  }
}

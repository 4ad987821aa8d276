import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing

@Suite("TaskSlot", .timeLimit(.minutes(1)))
struct TaskSlotTests {
  private struct Failure: Error {}

  private static let policies: [TaskSlot.Policy] = [.latest, .keepRunning, .join, .serial, .concurrent]

  @Test("the result of the work is committed on the owner before the task ends", arguments: policies)
  func commits(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await owner.run { 1 }.value
    #expect(await owner.committed == [.value(1)])
    #expect(await owner.isRunning == false)
    await owner.run { 2 }.value
    #expect(await owner.committed == [.value(1), .value(2)])
  }

  @Test("an error of the work is committed as an outcome", arguments: policies)
  func commitsFailure(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await owner.run { throw Failure() }.value
    await owner.run { throw CancellationError() }.value
    #expect(await owner.committed == [.failure("Failure()"), .cancelled])
    #expect(await owner.isRunning == false)
  }

  @Test("cancelling the task of a current run commits the cancelled outcome", arguments: policies)
  func cancellingTheTask(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let gate = Gate()
    let task = await owner.run {
      try await gate.waitUnlessCancelled()
      return 1
    }
    await gate.waitForArrivals(1)
    task.cancel()
    await task.value
    #expect(await owner.committed == [.cancelled])
    #expect(await owner.isRunning == false)
  }

  @Test("a slot is running from the start of the work to its commit", arguments: policies)
  func isRunning(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    #expect(await owner.isRunning == false)
    let gate = Gate()
    let task = await owner.run {
      await gate.wait()
      return 1
    }
    #expect(await owner.isRunning)
    gate.open()
    await task.value
    #expect(await owner.isRunning == false)
  }

  @Test("after a cancel nothing is committed, even if the work ignores cancellation", arguments: policies)
  func cancel(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let gate = Gate()
    let tasks = [
      await owner.run {
        await gate.wait()
        return 1
      },
      await owner.run {
        await gate.wait()
        return 2
      },
    ]
    await gate.waitForArrivals(1)
    await owner.cancel()
    #expect(await owner.isRunning == false)
    gate.open()
    for task in tasks { await task.value }
    #expect(await owner.committed == [])
    await owner.run { 3 }.value
    #expect(await owner.committed == [.value(3)])
  }

  @Test("a cancel reaches the work", arguments: policies)
  func cancelReachesTheWork(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let (gate, noticed) = (Gate(), Gate(isOpen: true))
    await owner.run {
      do { try await gate.waitUnlessCancelled() } catch { await noticed.wait() }
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    await noticed.waitForArrivals(1)
  }

  @Test("a cancel between the end of the work and its commit prevents the commit")
  func cancelBeforeTheCommit() async {
    let owner = SlotOwner()
    let hasEnded = Atomic(false)
    for _ in 0..<200 {
      hasEnded.store(false, ordering: .releasing)
      let task = await owner.run {
        defer { hasEnded.store(true, ordering: .releasing) }
        return 1
      }
      await owner.cancelAfter { hasEnded.load(ordering: .acquiring) }
      await task.value
    }
    // A commit that ran before the cancel stands. No commit follows a cancel.
    let committed = await owner.committed
    await owner.run { 2 }.value
    #expect(await owner.committed == committed + [.value(2)])
  }

  @Test("a run never begins if its start cancels work whose cancellation handler starts another run")
  func supersededWhileStarting() async {
    let owner = SlotOwner()
    let gate = Gate()
    await owner.runRestartingWhenCancelled(gate)
    await gate.waitForArrivals(1)
    await owner.run { 2 }.value
    gate.open()
    while await owner.isRunning { await Task.yield() }
    #expect(await owner.committed == [.value(3)])
  }

  @Test("a commit can start the next run", arguments: policies)
  func restartFromCommit(policy: TaskSlot.Policy) async throws {
    let owner = SlotOwner(policy)
    let numbers = Atomic(0)
    await owner.runChain(5) { numbers.add(1, ordering: .relaxed).newValue }
    while await owner.committed.count < 5 { await Task.yield() }
    #expect(await owner.committed == (1...5).map(SlotOwner.Entry.value))
    #expect(await owner.isRunning == false)
  }

  @Test(
    "neither the slot nor its work keeps the owner alive; the owner's end cancels the work",
    arguments: policies)
  func ownersEnd(policy: TaskSlot.Policy) async throws {
    let (gate, cancelled) = (Gate(), Gate(isOpen: true))
    try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner(policy))
      await owner.run {
        do { try await gate.waitUnlessCancelled() } catch { await cancelled.wait() }
        return 1
      }
      await gate.waitForArrivals(1)
    }
    await cancelled.waitForArrivals(1)
  }

  @Test("work that outlives its owner commits nothing", arguments: policies)
  func ownerGoneBeforeCommit(policy: TaskSlot.Policy) async throws {
    let gate = Gate()
    let task = try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner(policy))
      let task = await owner.run {
        await gate.wait()
        return 1
      }
      await gate.waitForArrivals(1)
      return task
    }
    gate.open()
    await task.value
  }

  @Test("objects that a run captured are freed when it ends", arguments: policies)
  func freesTheWork(policy: TaskSlot.Policy) async throws {
    let owner = SlotOwner(policy)
    try await LeakTracker.check { tracker in
      let captured = tracker.track(Reentrant(7))
      await owner.run { captured.number }.value
    }
    #expect(await owner.committed == [.value(7)])
  }
}

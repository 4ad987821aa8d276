import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing

/// A caller *leaves* a run if the caller is cancelled while it waits for the run.
@Suite("TaskSlot: callers that leave", .timeLimit(.minutes(1)))
struct TaskSlotCallerTests {
  @Test("a cancelled caller leaves at once; the others stay, and the work continues", arguments: [0, 1, 2])
  func oneLeaves(index: Int) async {
    let owner = SlotOwner(.join)
    let gate = Gate()
    let wasCancelled = Atomic(true)
    var callers: [Task<Void, Never>] = []
    for _ in 0..<3 {
      callers.append(
        await owner.call {
          await gate.wait()
          wasCancelled.store(Task.isCancelled, ordering: .relaxed)
          return 1
        })
    }
    await gate.waitForArrivals(1)
    let leaving = callers.remove(at: index)
    leaving.cancel()
    await leaving.value
    #expect(owner.isRunning)
    #expect(await owner.committed == [])
    gate.open()
    for caller in callers { await caller.value }
    #expect(await owner.committed == [.value(1)])
    #expect(gate.arrivalCount == 1)
    #expect(wasCancelled.load(ordering: .relaxed) == false)
  }

  @Test(
    "when the last caller leaves, `.cancelled` is committed once, even if the work ignores cancellation",
    arguments: TaskSlot.Policy.all, [1, 3])
  func lastLeaves(policy: TaskSlot.Policy, count: Int) async {
    let owner = SlotOwner(policy)
    let (gate, ended, notes) = (Gate(), Gate(isOpen: true), Notes())
    let first = await owner.call { owner in
      await owner.run {
        await gate.wait()
        notes.add("work, cancelled: \(Task.isCancelled)")
        await ended.wait()
        return 1
      }
      notes.add("\(owner.committed)")
    }
    await gate.waitForArrivals(1)
    var callers = [first]
    for _ in 1..<count { callers.append(await owner.call { await $0.slot.wait() }) }
    for caller in callers.reversed() {
      #expect(owner.isRunning)
      #expect(await owner.committed == [])
      caller.cancel()
      await caller.value
    }
    #expect(notes.all == ["\([SlotOwner.Entry.cancelled])"])
    #expect(!owner.isRunning)
    gate.open()
    await ended.waitForArrivals(1)
    await owner.run { 2 }
    #expect(notes.all.last == "work, cancelled: true")
    #expect(await owner.committed == [.cancelled, .value(2)])
  }

  @Test("a cancelled caller outside the owner returns after `.cancelled` is committed on the owner")
  func leavesFromElsewhere() async {
    for _ in 0..<200 {
      let owner = SlotOwner()
      let (gate, commits) = (Gate(), Tally())
      let caller = Task.detached {
        await owner.slot.run(on: owner) {
          try await gate.waitUnlessCancelled()
        } commit: { owner, outcome in
          owner.assertIsolated()
          if case .cancelled = outcome { commits.increment() }
        }
        #expect(commits.count == 1)
      }
      caller.cancel()
      await caller.value
      #expect(!owner.isRunning)
    }
  }

  @Test(
    "a caller that is already cancelled starts no work, and commits `.cancelled` before it returns",
    arguments: TaskSlot.Policy.all)
  func cancelledBefore(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let begun = Tally()
    for round in 1...20 {
      let gate = Gate()
      let caller = Task.detached {
        await gate.wait()
        await owner.slot.run(on: owner) {
          begun.increment()
        } commit: { owner, outcome in
          if case .cancelled = outcome { owner.add(round) }
        }
        #expect(await owner.committed.last == .value(round))
      }
      caller.cancel()
      gate.open()
      await caller.value
      #expect(!owner.isRunning)
    }
    #expect(begun.count == 0)
    #expect(await owner.committed == (1...20).map(SlotOwner.Entry.value))
  }

  @Test("the policy also decides how the call of an already cancelled caller affects the running work")
  func cancelledBeforeAnother() async {
    for policy in TaskSlot.Policy.all {
      let owner = SlotOwner(policy)
      let (gate, begun) = (Gate(), Tally())
      let running = await owner.call {
        await gate.wait()
        return 1
      }
      await gate.waitForArrivals(1)
      let cancelled = Task {
        await gate.waitForArrivals(2)
        await owner.run {
          begun.increment()
          await gate.wait()
          return 2
        }
      }
      cancelled.cancel()
      await cancelled.value
      #expect(await owner.committed == (policy == .serial || policy == .concurrent ? [.cancelled] : []))
      #expect(owner.isRunning)
      gate.open()
      await running.value
      // Under `.latest`, the caller of the replaced run waits for the new one.
      #expect(await owner.committed.last == .value(policy == .latest ? 2 : 1))
      #expect(begun.count == (policy == .latest ? 1 : 0))
    }
  }

  @Test(
    "the work begins for a caller that joins the run of an already cancelled caller",
    arguments: [true, false])
  func joinsTheCancelled(staysToTheEnd: Bool) async {
    let owner = SlotOwner(.join)
    for _ in 0..<20 {
      let (starts, begun) = (Gate(), Tally())
      let isOccupied = Atomic(false)
      let hasJoined = Atomic(false)
      // While the owner is occupied, the cancelled caller cannot leave.
      async let occupied: Void = owner.occupy {
        isOccupied.store(true, ordering: .releasing)
        return hasJoined.load(ordering: .acquiring)
      }
      while !isOccupied.load(ordering: .acquiring) { await Task.yield() }
      let cancelled = Task.detached {
        await starts.wait()
        await owner.slot.run(on: owner) {
          begun.increment()
        } commit: { owner, outcome in
          owner.commit(outcome)
        }
      }
      cancelled.cancel()
      starts.open()
      // The loop is bounded, because the run may be over if the owner is free too early.
      for _ in 0..<1_000 where !owner.isRunning { await Task.yield() }
      let second = owner.start { begun.increment() }
      hasJoined.store(true, ordering: .releasing)
      await occupied
      if staysToTheEnd {
        await second.wait()
        #expect(begun.count == 1)
        #expect(await owner.committed.last == .value(1))
      } else {
        let leaving = Task { await second.wait() }
        leaving.cancel()
        await leaving.value
      }
      await cancelled.value
      #expect(!owner.isRunning)
    }
  }

  @Test(
    "wait() returns at once if nothing runs or the calling task is cancelled, or else after the newest run")
  func wait() async {
    let owner = SlotOwner(.concurrent)
    let (gate, newest) = (Gate(), Gate())
    await owner.slot.wait()
    let first = owner.start {
      await gate.wait()
      return 1
    }
    owner.start {
      await newest.wait()
      return 2
    }
    let cancelled = Task {
      await gate.waitForArrivals(2)
      await owner.slot.wait()
    }
    cancelled.cancel()
    await cancelled.value
    let waiting = await owner.call { await $0.slot.wait() }
    newest.open()
    await waiting.value
    #expect(await owner.committed == [.value(2)])
    gate.open()
    await first.wait()
  }

  @Test("if a caller waits when the commit begins, the caller returns after the commit")
  func beforeTheCommit() async {
    let owner = SlotOwner()
    for _ in 0..<20 {
      let hasReturned = Atomic(false)
      let isDone = Atomic(false)
      let caller = Task.detached {
        await owner.slot.run(on: owner) {
        } commit: { _, _ in
          for _ in 0..<100_000 where !hasReturned.load(ordering: .acquiring) {}
          isDone.store(true, ordering: .releasing)
        }
        #expect(isDone.load(ordering: .acquiring) == true)
        hasReturned.store(true, ordering: .releasing)
      }
      await caller.value
    }
  }

  @Test(
    "a caller that comes during a commit returns after it, even if cancelled or if its run is refused",
    arguments: ["run", "slot", "cancelled", "refused"])
  func duringTheCommit(call: String) async {
    let owner = SlotOwner()
    for round in 1...20 {
      let isCommitting = Atomic(false)
      let hasReturned = Atomic(false)
      let isDone = Atomic(false)
      let run = owner.slot.start(at: round, on: owner) {
      } commit: { _, _ in
        isCommitting.store(true, ordering: .releasing)
        for _ in 0..<100_000 where !hasReturned.load(ordering: .acquiring) {}
        isDone.store(true, ordering: .releasing)
      }
      let waiting = Task.detached {
        while !isCommitting.load(ordering: .acquiring) { await Task.yield() }
        #expect(!owner.isRunning)
        if call == "cancelled" { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        switch call {
        case "slot": await owner.slot.wait()
        case "refused": await owner.start(at: round - 1) { 1 }.wait()
        default: await run.wait()
        }
        #expect(isDone.load(ordering: .acquiring) == true)
        hasReturned.store(true, ordering: .releasing)
      }
      await waiting.value
      await run.wait()
    }
  }
}

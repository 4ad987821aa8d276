import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

/// A caller *leaves* a run if the caller is cancelled while it waits for the run.
@Suite("TaskSlot: callers that leave", .timeLimit(.minutes(5)), .endsWaits)
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

  @Test("a call of an already cancelled caller follows the policy: only `.latest` replaces the running work")
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
  func joinsTheCancelled(staysToTheEnd: Bool) async throws {
    for _ in 0..<20 {
      let (queue, slot, committed) = (
        DispatchQueue(label: "owner"), TaskSlot(.join), DeliveryLog<SlotOwner.Entry>()
      )
      let (owner, starts, works) = (QueueIsolation(queue), Gate(), Gate())
      let cancelled = Task.detached {
        await starts.wait()
        await slot.run(on: owner) {
          try await works.waitUnlessCancelled()
          return 1
        } commit: { _, outcome in
          committed.append(.init(outcome))
        }
      }
      cancelled.cancel()
      // While the owner's queue is suspended, the cancelled caller cannot leave.
      queue.suspend()
      starts.open()
      while !slot.isRunning { await Task.yield() }
      let second = slot.start(on: owner) {
        try await works.waitUnlessCancelled()
        return 2
      } commit: { _, outcome in
        committed.append(.init(outcome))
      }
      queue.resume()
      await works.waitForArrivals(1)
      await cancelled.value
      #expect(committed.values == [])
      if staysToTheEnd {
        works.open()
        await second.wait()
        #expect(committed.values == [.value(1)])
      } else {
        let leaving = Task { await second.wait() }
        leaving.cancel()
        await leaving.value
        #expect(committed.values == [.cancelled])
      }
      #expect(!slot.isRunning)
      #expect(works.arrivalCount == 1)
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
    let queue = DispatchQueue(label: "caller")
    let (owner, gate, notes) = (SlotOwner(), Gate(), Notes())
    let caller = Task(executorPreference: QueueTaskExecutor(queue)) {
      await owner.slot.run(on: owner) {
        await gate.wait()
      } commit: { _, _ in
        // If the caller was already resumed, it returns in a block before this one.
        queue.sync {}
        notes.add("the commit ends")
      }
      notes.add("the caller returns")
    }
    await gate.waitForArrivals(1)
    // After this block, the caller waits for its run.
    queue.sync {}
    gate.open()
    await caller.value
    #expect(notes.all == ["the commit ends", "the caller returns"])
  }

  @Test(
    "a caller that begins to wait during a commit returns after that commit, even if cancelled or refused",
    arguments: ["run", "slot", "cancelled", "refused"])
  func duringTheCommit(call: String) async {
    let queue = DispatchQueue(label: "caller")
    let (owner, work, late, notes) = (SlotOwner(), Gate(), Gate(), Notes())
    let run = owner.slot.start(at: 2, on: owner) {
      await work.wait()
    } commit: { _, _ in
      late.open()
      // The caller is now a block in the queue. It runs until it waits for the commit, or returns too early.
      queue.sync {}
      notes.add("the commit ends")
    }
    let caller = Task(executorPreference: QueueTaskExecutor(queue)) {
      await late.wait()
      notes.add("the caller begins to wait")
      #expect(!owner.isRunning)
      if call == "cancelled" { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      switch call {
      case "slot": await owner.slot.wait()
      case "refused": await owner.start(at: 1) { 1 }.wait()
      default: await run.wait()
      }
      notes.add("the caller returns")
    }
    await late.waitForArrivals(1)
    // After this block, the caller waits at the gate.
    queue.sync {}
    work.open()
    await caller.value
    #expect(notes.all == ["the caller begins to wait", "the commit ends", "the caller returns"])
    #expect(await owner.committed == [])
  }
}

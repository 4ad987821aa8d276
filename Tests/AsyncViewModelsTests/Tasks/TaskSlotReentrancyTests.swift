import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("TaskSlot: calls from within its own work", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotReentrancyTests {
  /// Work that waits at the gate, with `onCancel` as its cancellation handler.
  private static func work(
    _ gate: Gate, _ number: Int = 1, onCancel: @escaping @Sendable () -> Void
  ) -> SlotOwner.Work {
    {
      await withTaskCancellationHandler {
        await gate.wait()
        return number
      } onCancel: {
        onCancel()
      }
    }
  }

  @Test("a commit can start the next run", arguments: TaskSlot.Policy.all)
  func restartFromCommit(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let left = Atomic(5)
    @Sendable func start() -> TaskSlot.Run {
      owner.slot.start(on: owner) {
        left.load(ordering: .relaxed)
      } commit: { owner, outcome in
        #expect(!owner.isRunning)
        owner.commit(outcome)
        if left.subtract(1, ordering: .relaxed).newValue > 0 { _ = start() }
      }
    }
    await start().wait()
    while await owner.committed.count < 5 { await Task.yield() }
    #expect(!owner.isRunning)
    #expect(await owner.committed == [5, 4, 3, 2, 1].map(SlotOwner.Entry.value))
  }

  @Test("a caller that joins within a commit returns when the commit is over", arguments: TaskSlot.Policy.all)
  func joinFromCommit(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let joined = Holder<TaskSlot.Run>()
    let run = owner.slot.start(on: owner) {
      1
    } commit: { owner, outcome in
      joined.set(owner.slot.join())
      owner.commit(outcome)
    }
    await run.wait()
    await joined.value?.wait()
    #expect(joined.value != nil)
    #expect(await owner.committed == [.value(1)])
  }

  @Test("the commit of a cancellation can start the next run", arguments: TaskSlot.Policy.all)
  func restartFromCancellation(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let gate = Gate()
    let caller = await owner.call { owner in
      await owner.slot.run(on: owner) {
        await gate.wait()
        return 1
      } commit: { owner, outcome in
        owner.commit(outcome)
        owner.start { 2 }
      }
    }
    await gate.waitForArrivals(1)
    caller.cancel()
    await caller.value
    gate.open()
    await owner.slot.wait()
    #expect(await owner.committed == [.cancelled, .value(2)])
  }

  @Test("a commit can cancel its slot, with or without a position")
  func cancelFromCommit() async {
    let owner = SlotOwner(.concurrent)
    let gate = Gate()
    let other = owner.start {
      await gate.wait()
      return 1
    }
    await owner.slot.run(on: owner) {
      2
    } commit: { owner, outcome in
      owner.commit(outcome)
      owner.slot.cancel()
      owner.slot.cancel(at: 1)
    }
    await other.wait()
    gate.open()
    await owner.start(at: 1) { 3 }.wait()
    #expect(await owner.committed == [.value(2)])
  }

  @Test("if a new run cancels work whose cancellation handler starts another run, only the latter commits")
  func supersededWhileStarting() async {
    let owner = SlotOwner()
    let gate = Gate()
    owner.start(Self.work(gate) { owner.start { 3 } })
    await gate.waitForArrivals(1)
    // The handler's run supersedes this run, which can have begun by then.
    await owner.run { 2 }
    await owner.slot.wait()
    gate.open()
    #expect(await owner.committed == [.value(3)])
  }

  @Test("if a new run cancels work whose cancellation handler starts another run, the higher position wins")
  func positionsInAHandler() async {
    let owner = SlotOwner()
    let gate = Gate()
    owner.start(at: 1, Self.work(gate) { owner.start(at: 2) { 2 } })
    await gate.waitForArrivals(1)
    await owner.start(at: 3) { 3 }.wait()
    gate.open()
    #expect(!owner.isRunning)
    #expect(await owner.committed == [.value(3)])
  }

  @Test(
    "a cancellation handler can use the slot, whichever call cancels the work", arguments: TaskSlot.Policy.all
  )
  func handlerUsesTheSlot(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let (gate, calls) = (Gate(), Tally())
    for round in 0..<4 {
      let work = Self.work(gate) {
        owner.slot.cancel()
        owner.slot.cancel(at: round)
        if !owner.isRunning { calls.increment() }
      }
      let caller = await owner.call(work)
      await gate.waitForArrivals(round + 1)
      switch round {
      case 0: owner.slot.cancel()
      case 1: owner.slot.cancel(at: 1)
      default: caller.cancel()
      }
      await caller.value
      gate.release()
    }
    #expect(calls.count == 4)
    gate.open()
    await owner.run { 5 }
    #expect(await owner.committed == [.cancelled, .cancelled, .value(5)])
  }

  @Test("when the last caller leaves, `.cancelled` is committed before the work's cancellation handler runs")
  func handlerAfterTheCommit() async {
    let owner = SlotOwner()
    let (gate, notes) = (Gate(), Notes())
    let work = Self.work(gate) {
      notes.add("handler")
      owner.start { 2 }
    }
    let caller = await owner.call { owner in
      await owner.slot.run(on: owner, work) { owner, outcome in
        notes.add("commit")
        owner.commit(outcome)
      }
      notes.add("returned")
    }
    await gate.waitForArrivals(1)
    caller.cancel()
    await caller.value
    await owner.slot.wait()
    gate.open()
    #expect(notes.all == ["commit", "handler", "returned"])
    #expect(await owner.committed == [.cancelled, .value(2)])
  }

  @Test("work that waits for a new run in its own slot does not deadlock, because that run cancels the work")
  func runsItself() async {
    let owner = SlotOwner()
    await owner.run {
      await owner.run { 2 }
      return 1
    }
    while owner.isRunning { await Task.yield() }
    let committed = await owner.committed
    #expect(committed == [.cancelled] || committed == [.value(2)])
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("TaskSlot: runs started with `start`", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotStartTests {
  @Test("a started run commits even if its caller never waits and all callers that joined have left")
  func neverWaitedFor() async {
    let owner = SlotOwner(.join)
    let gate = Gate()
    owner.start {
      await gate.wait()
      return 1
    }
    await gate.waitForArrivals(1)
    for _ in 1...3 {
      let caller = await owner.call { 2 }
      caller.cancel()
      await caller.value
      #expect(owner.isRunning)
    }
    gate.open()
    await owner.slot.wait()
    #expect(await owner.committed == [.value(1)])
  }

  @Test("work in steps that was started runs without a caller, and is cancelled with its last caller")
  func startedSteps() async {
    let owner = SlotOwner()
    let (gate, left) = (Gate(), Gate())
    let first = owner.slot.start(on: owner) { commit in
      await gate.wait()
      for value in 1...2 { #expect(await commit { $0.add(value) } != nil) }
    } onCancel: { _ in
      #expect(Bool(false), "cancelled without a cancelled caller")
    }
    #expect(owner.isRunning)
    gate.open()
    await first.wait()
    #expect(await owner.committed == [.value(1), .value(2)])
    let second = owner.slot.start(on: owner) { commit in
      try? await Gate().waitUnlessCancelled()
      #expect(await commit { $0.add(3) } == nil)
    } onCancel: { _ in
      left.open()
    }
    let caller = await owner.call { _ in await second.wait() }
    caller.cancel()
    await caller.value
    #expect(left.isOpen)
    #expect(await owner.committed == [.value(1), .value(2)])
  }

  @Test("a run can be waited for twice, by two tasks, and after its end")
  func waitedForTwice() async {
    let owner = SlotOwner()
    let gate = Gate()
    let run = owner.start {
      await gate.wait()
      return 1
    }
    let callers = [await owner.call { _ in await run.wait() }, await owner.call { _ in await run.wait() }]
    gate.open()
    for caller in callers { await caller.value }
    #expect(await owner.committed == [.value(1)])
    await run.wait()
  }

  @Test("if two tasks wait for a run, the first to leave does not affect the other", arguments: [0, 1])
  func oneOfTwoLeaves(index: Int) async {
    let owner = SlotOwner()
    let gate = Gate()
    let run = owner.start {
      try await gate.waitUnlessCancelled()
      return 1
    }
    var callers = [await owner.call { _ in await run.wait() }, await owner.call { _ in await run.wait() }]
    let leaving = callers.remove(at: index)
    leaving.cancel()
    await leaving.value
    #expect(await owner.committed == [])
    gate.open()
    await callers[0].value
    #expect(await owner.committed == [.value(1)])
  }

  @Test("when the last waiting task leaves, the run is cancelled, and `.cancelled` is committed once")
  func bothLeave() async {
    let owner = SlotOwner()
    let (gate, ended) = (Gate(), Gate(isOpen: true))
    let run = owner.start {
      await gate.wait()
      await ended.wait()
      return 1
    }
    await gate.waitForArrivals(1)
    let callers = [await owner.call { _ in await run.wait() }, await owner.call { _ in await run.wait() }]
    for caller in callers { caller.cancel() }
    for caller in callers { await caller.value }
    #expect(await owner.committed == [.cancelled])
    await run.wait()
    gate.open()
    await ended.waitForArrivals(1)
    #expect(await owner.committed == [.cancelled])
  }

  @Test("the callers of a cancelled, dropped or refused run return at once", arguments: TaskSlot.Policy.all)
  func returnsAtOnce(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let gate = Gate()
    let work: SlotOwner.Work = {
      await gate.wait()
      return 1
    }
    let first = owner.start(at: 1, work)
    await gate.waitForArrivals(1)
    // Under `.latest`, the caller of a refused run waits for the newest run instead.
    if policy != .latest { await owner.start(at: 1, work).wait() }
    let second = owner.start(at: 2, work)
    if policy == .keepRunning { await second.wait() }
    owner.slot.cancel(at: 3)
    await first.wait()
    await second.wait()
    await owner.start(at: 3, work).wait()
    #expect(await owner.committed == [])
    gate.open()
  }

  @Test("threads that run no task can start runs in a slot")
  func withoutTasks() async {
    let owner = SlotOwner(.serial)
    let runs = Mutex<[TaskSlot.Run]>([])
    DispatchQueue.concurrentPerform(iterations: 100) { number in
      let run = owner.start { number }
      runs.withLock { $0.append(run) }
    }
    for run in runs.withLock({ $0 }) { await run.wait() }
    #expect(Set(await owner.committed.compactMap(\.number)) == Set(0..<100))
  }

  // MARK: - Positions

  @Test("a run does not start if the slot has already seen its position or a higher one")
  func positions() async {
    let lowest = SlotOwner()
    await lowest.start(at: .min) { 0 }.wait()
    #expect(await lowest.committed == [.value(0)])

    let owner = SlotOwner()
    await owner.start(at: 5) { 5 }.wait()
    for position in [5, 4, 0, .min] { await owner.start(at: position) { position }.wait() }
    #expect(await owner.committed == [.value(5)])
    // A call without a position is the newest, and does not change the order of the others.
    await owner.run { 100 }
    await owner.start(at: 6) { 6 }.wait()
    #expect(await owner.committed == [.value(5), .value(100), .value(6)])
  }

  @Test(
    "a slot has also seen the position of a run that its policy drops or joins",
    arguments: [TaskSlot.Policy.keepRunning, .join])
  func positionsOfDroppedRuns(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let gate = Gate()
    let run = owner.start(at: 1) {
      await gate.wait()
      return 1
    }
    owner.start(at: 3) { 3 }
    gate.open()
    await run.wait()
    for position in [2, 3, 4] { await owner.start(at: position) { position }.wait() }
    #expect(await owner.committed == [.value(1), .value(4)])
  }

  @Test("a start or cancel at an outdated position does not affect the running work")
  func refused() async {
    let owner = SlotOwner()
    let gate = Gate()
    let run = owner.start(at: 2) {
      try await gate.waitUnlessCancelled()
      return 2
    }
    let refused = owner.start(at: 1) { 1 }
    owner.slot.cancel(at: 2)
    owner.slot.cancel(at: 1)
    #expect(owner.isRunning)
    gate.open()
    await run.wait()
    await refused.wait()
    #expect(await owner.committed == [.value(2)])
  }

  @Test("cancel(at:) cancels runs at lower positions, and refuses later starts up to its position")
  func cancelAtPosition() async {
    let owner = SlotOwner()
    let gate = Gate()
    let run = owner.start(at: 1) {
      await gate.wait()
      return 1
    }
    owner.slot.cancel(at: 3)
    await run.wait()
    #expect(!owner.isRunning)
    await owner.start(at: 2) { 2 }.wait()
    await owner.start(at: 3) { 3 }.wait()
    await owner.start(at: 4) { 4 }.wait()
    #expect(await owner.committed == [.value(4)])
    gate.open()
  }

  /// A view model whose intents take effect on the thread of the caller.
  private actor Model: ViewModelActor {
    struct State: Sendable {
      var number = 0
      var answers: [Int] = []
    }

    nonisolated let modelState = ModelState(State())
    nonisolated let slot = TaskSlot()

    nonisolated func ask(_ gate: Gate) -> TaskSlot.Run {
      let number = store.update { state in
        state.number += 1
        return state.number
      }
      return slot.start(at: number, on: self) {
        await gate.wait()
        return number
      } commit: { model, outcome in
        model.store.update { $0.answers.append(outcome.value ?? -1) }
      }
    }

    nonisolated func cancel() -> Int {
      let number = store.update { state in
        state.number += 1
        return state.number
      }
      slot.cancel(at: number)
      return number
    }
  }

  @Test(
    "if threads take their positions in an update, the run or cancel with the highest position wins",
    arguments: [true, false])
  func drawnPositions(cancels: Bool) async {
    for round in 0..<200 {
      let model = Model()
      // In every second round, no work ends before the last call.
      let gate = Gate(isOpen: round % 2 == 0)
      let runs = Mutex<[TaskSlot.Run]>([])
      let cancelled = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        if cancels, thread == 4 {
          cancelled.withLock { $0 = model.cancel() }
        } else {
          let run = model.ask(gate)
          runs.withLock { $0.append(run) }
        }
      }
      gate.open()
      for run in runs.withLock({ $0 }) { await run.wait() }
      let (state, cancelIsLast) = (model.state, cancelled.withLock { $0 } == 8)
      #expect(state.number == 8)
      #expect(state.answers == state.answers.sorted())
      #expect(Set(state.answers).count == state.answers.count)
      if !cancelIsLast { #expect(state.answers.last == 8) }
      if round % 2 == 1 { #expect(state.answers == (cancelIsLast ? [] : [8])) }
      #expect(!model.slot.isRunning)
    }
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("TaskSlot: callers of replaced runs", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotReplacementTests {
  private let owner = SlotOwner(.latest)
  private let gate = Gate()

  /// Starts a run that waits for the gate, and a task that waits for the run.
  private func call(_ number: Int) async -> Task<Void, Never> {
    let call = await owner.call(waiting(number))
    await gate.waitForArrivals(number)
    return call
  }

  /// Starts a run that waits for the gate. Returns when it does, so that a later run replaces it.
  private func start(_ number: Int) async -> TaskSlot.Run {
    let run = owner.start(waiting(number))
    await gate.waitForArrivals(number)
    return run
  }

  private func waiting(_ number: Int) -> SlotOwner.Work {
    { [gate] in
      await gate.wait()
      return number
    }
  }

  @Test("the callers of all replaced runs return after the commit of the newest run")
  func newest() async {
    let returned = Tally()
    let calls = [await call(1), await call(2), await call(3)]
    let returns = calls.map { call in
      Task { [owner] in
        await call.value
        #expect(await owner.committed == [.value(3)])
        returned.increment()
      }
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(returned.count == 0)
    #expect(owner.isRunning)
    gate.open()
    for task in returns { await task.value }
    #expect(!owner.isRunning)
  }

  @Test(
    "the newest run continues until its own callers and those of the replaced runs have all left",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func lastToLeave(order: [Int]) async {
    let calls = [await call(1), await call(2), await call(3)]
    for index in order {
      #expect(owner.isRunning)
      #expect(await owner.committed == [])
      calls[index].cancel()
      await calls[index].value
    }
    #expect(!owner.isRunning)
    #expect(await owner.committed == [.cancelled])
    gate.open()
    await owner.run { 4 }
    #expect(await owner.committed == [.cancelled, .value(4)])
  }

  @Test("before its first wait(), a returned Run counts as a caller, even after its run was replaced")
  func notYetWaiting() async {
    let share = await start(1)
    let second = await call(2)
    let joined = owner.slot.join()
    second.cancel()
    await second.value
    for run in [share, joined] {
      #expect(owner.isRunning)
      let waiting = await owner.call { _ in await run.wait() }
      waiting.cancel()
      await waiting.value
    }
    #expect(!owner.isRunning)
    #expect(await owner.committed.last == .cancelled)
    gate.open()
  }

  @Test("the first wait() for a run that was replaced twice returns after the commit of the newest run")
  func replacedTwice() async {
    let runs = [await start(1), await start(2), await start(3)]
    let caller = await owner.call { owner in
      await runs[0].wait()
      #expect(owner.committed == [.value(3)])
    }
    gate.open()
    await caller.value
    for run in runs { await run.wait() }
  }

  @Test("a wait for a replaced run ends with the run that replaced it, not with a later run")
  func over() async {
    let first = await start(1)
    let second = owner.start { 2 }
    await second.wait()
    let later = owner.start(waiting(3))
    await first.wait()
    await second.wait()
    #expect(await owner.committed == [.value(2)])
    gate.open()
    await later.wait()
    await owner.slot.join().wait()
    #expect(await owner.committed == [.value(2), .value(3)])
  }

  @Test("the caller of a run at an outdated position waits for the newest run, and can leave that run")
  func refused() async {
    let newest = owner.start(at: 2) { [gate] in
      await gate.wait()
      return 2
    }
    let leaving = owner.start(at: 2) { 0 }
    let staying = owner.start(at: 1) { 0 }
    let returned = Tally()
    let left = await owner.call { _ in await leaving.wait() }
    let stayed = await owner.call { _ in
      await staying.wait()
      returned.increment()
    }
    left.cancel()
    await left.value
    for _ in 0..<100 { await Task.yield() }
    #expect(returned.count == 0)
    #expect(owner.isRunning)
    gate.open()
    await stayed.value
    #expect(await owner.committed == [.value(2)])
    await newest.wait()
    await leaving.wait()
  }

  @Test("a cancel of the slot ends the wait of all callers, which then cannot cancel a later run")
  func cancelled() async {
    let calls = [await call(1), await call(2)]
    owner.slot.cancel()
    for call in calls { await call.value }
    let later = await call(3)
    for call in calls { call.cancel() }
    #expect(owner.isRunning)
    gate.open()
    await later.value
    #expect(await owner.committed == [.value(3)])
  }

  @Test(
    "if runs are replaced while callers leave, a caller that stays finds a newer value, and no caller hangs")
  func race() async throws {
    for round in 0..<1_000 {
      let staying = Task.detached { [owner] in
        let before = await owner.committed.count { $0 != .cancelled }
        await owner.run(Self.work)
        #expect(await owner.committed.count { $0 != .cancelled } > before)
      }
      let leaving = (0..<2).map { _ in Task.detached { [owner] in await owner.run(Self.work) } }
      for task in leaving {
        for _ in 0..<(round % 4) { await Task.yield() }
        task.cancel()
      }
      await staying.value
      for task in leaving { await task.value }
      #expect(!owner.isRunning)
      try Task.checkCancellation()
    }
  }

  private static let work: SlotOwner.Work = {
    for _ in 0..<3 {
      await Task.yield()
      try Task.checkCancellation()
    }
    return 1
  }
}

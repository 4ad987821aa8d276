import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing

@Suite("TaskSlot: policies", .timeLimit(.minutes(1)))
struct TaskSlotPolicyTests {
  private struct Failure: Error {}

  @Test("latest: a new run cancels the old one, which commits nothing even if it ignores cancellation")
  func latestSupersedes() async {
    let owner = SlotOwner(.latest)
    let gate = Gate()
    let wasCancelled = Atomic(false)
    let old = await owner.run {
      await gate.wait()
      wasCancelled.store(Task.isCancelled, ordering: .relaxed)
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.run { 2 }.value
    #expect(await owner.committed == [.value(2)])
    gate.open()
    await old.value
    #expect(wasCancelled.load(ordering: .relaxed) == true)
    #expect(await owner.committed == [.value(2)])
  }

  @Test("latest: the end of the old run does not make the slot idle while the new one runs")
  func latestStaysRunning() async {
    let owner = SlotOwner(.latest)
    let (oldGate, newGate) = (Gate(), Gate())
    let old = await owner.run {
      await oldGate.wait()
      return 1
    }
    let new = await owner.run {
      await newGate.wait()
      return 2
    }
    oldGate.open()
    await old.value
    #expect(await owner.isRunning)
    newGate.open()
    await new.value
    #expect(await owner.committed == [.value(2)])
  }

  @Test("keepRunning: a new run is dropped, and its task ends at once")
  func keepRunningDropsNewRun() async {
    let owner = SlotOwner(.keepRunning)
    let gate = Gate()
    let first = await owner.run {
      await gate.wait()
      return 1
    }
    await owner.run { 2 }.value
    #expect(await owner.committed == [])
    gate.open()
    await first.value
    #expect(await owner.committed == [.value(1)])
  }

  @Test("keepRunning: after a cancel the next run starts, although the old work still runs")
  func keepRunningAfterCancel() async {
    let owner = SlotOwner(.keepRunning)
    let gate = Gate()
    let first = await owner.run {
      await gate.wait()
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    await owner.run { 2 }.value
    gate.open()
    await first.value
    #expect(await owner.committed == [.value(2)])
  }

  @Test("join: a new run returns the running task and awaits its commit")
  func joinShares() async {
    let owner = SlotOwner(.join)
    let gate = Gate()
    let first = await owner.run {
      await gate.wait()
      return 1
    }
    let second = await owner.run { 2 }
    #expect(first == second)
    gate.open()
    await second.value
    #expect(await owner.committed == [.value(1)])
    let third = await owner.run { 3 }
    #expect(third != first)
    await third.value
    #expect(await owner.committed == [.value(1), .value(3)])
  }

  @Test("serial: runs start one at a time, in the order of the calls")
  func serialKeepsOrder() async {
    let owner = SlotOwner(.serial)
    let gate = Gate()
    let runningCount = Atomic(0)
    var tasks: [Task<Void, Never>] = []
    for number in 1...20 {
      tasks.append(
        await owner.run {
          #expect(runningCount.add(1, ordering: .relaxed).newValue == 1)
          await gate.wait()
          runningCount.subtract(1, ordering: .relaxed)
          return number
        })
    }
    for number in 1...20 {
      await gate.waitForArrivals(number)
      #expect(await owner.committed.count == number - 1)
      gate.release()
    }
    for task in tasks { await task.value }
    #expect(await owner.committed == (1...20).map(SlotOwner.Entry.value))
    #expect(await owner.isRunning == false)
  }

  @Test("serial: a failure does not stop later runs")
  func serialSurvivesFailure() async {
    let owner = SlotOwner(.serial)
    await owner.run { throw Failure() }
    await owner.run { 2 }.value
    #expect(await owner.committed == [.failure("Failure()"), .value(2)])
  }

  @Test("serial: a cancel stops waiting runs before they begin")
  func serialCancel() async {
    let owner = SlotOwner(.serial)
    let gate = Gate()
    let begun = Atomic(0)
    var tasks: [Task<Void, Never>] = []
    for number in 1...5 {
      tasks.append(
        await owner.run {
          begun.add(1, ordering: .relaxed)
          await gate.wait()
          return number
        })
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    gate.open()
    for task in tasks { await task.value }
    #expect(begun.load(ordering: .relaxed) == 1)
    #expect(await owner.committed == [])
  }

  @Test("concurrent: runs overlap, and each one commits")
  func concurrentRuns() async {
    let owner = SlotOwner(.concurrent)
    let gate = Gate()
    var tasks: [Task<Void, Never>] = []
    for number in 1...5 {
      tasks.append(
        await owner.run {
          await gate.wait()
          return number
        })
    }
    await gate.waitForArrivals(5)
    #expect(await owner.isRunning)
    gate.release()
    while await owner.committed.count < 1 { await Task.yield() }
    #expect(await owner.isRunning)
    gate.open()
    for task in tasks { await task.value }
    #expect(Set(await owner.committed.compactMap(\.number)) == [1, 2, 3, 4, 5])
    #expect(await owner.isRunning == false)
  }

  @Test("concurrent: after a newer run has ended, an older one still counts and can be cancelled")
  func concurrentOutlivesNewer() async {
    let owner = SlotOwner(.concurrent)
    let gate = Gate()
    let wasCancelled = Atomic(false)
    let older = await owner.run {
      await gate.wait()
      wasCancelled.store(Task.isCancelled, ordering: .relaxed)
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.run { 2 }.value
    #expect(await owner.committed == [.value(2)])
    #expect(await owner.isRunning)
    await owner.cancel()
    #expect(await owner.isRunning == false)
    gate.open()
    await older.value
    #expect(wasCancelled.load(ordering: .relaxed) == true)
    #expect(await owner.committed == [.value(2)])
  }
}

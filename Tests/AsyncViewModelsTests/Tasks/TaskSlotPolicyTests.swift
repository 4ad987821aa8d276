import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("TaskSlot: policies", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotPolicyTests {
  private struct Failure: Error {}

  @Test("latest: a new run cancels the old one, which commits nothing even if it ignores cancellation")
  func latestSupersedes() async {
    let owner = SlotOwner(.latest)
    let (gate, ended) = (Gate(), Gate(isOpen: true))
    let wasCancelled = Atomic(false)
    let old = await owner.call {
      await gate.wait()
      wasCancelled.store(Task.isCancelled, ordering: .relaxed)
      await ended.wait()
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.run { 2 }
    await old.value
    #expect(await owner.committed == [.value(2)])
    gate.open()
    await ended.waitForArrivals(1)
    await Self.letOthersRun()
    #expect(wasCancelled.load(ordering: .relaxed) == true)
    #expect(await owner.committed == [.value(2)])
  }

  @Test("latest: the end of the old run does not make the slot idle while the new one runs")
  func latestStaysRunning() async {
    let owner = SlotOwner(.latest)
    let (oldGate, newGate, ended) = (Gate(), Gate(), Gate(isOpen: true))
    let old = await owner.call {
      await oldGate.wait()
      await ended.wait()
      return 1
    }
    await oldGate.waitForArrivals(1)
    let new = await owner.call {
      await newGate.wait()
      return 2
    }
    await newGate.waitForArrivals(1)
    oldGate.open()
    await ended.waitForArrivals(1)
    await Self.letOthersRun()
    #expect(owner.isRunning)
    newGate.open()
    await new.value
    await old.value
    #expect(await owner.committed == [.value(2)])
  }

  @Test("keepRunning: a new run is dropped, and its caller returns at once")
  func keepRunningDropsNewRun() async {
    let owner = SlotOwner(.keepRunning)
    let gate = Gate()
    let first = await owner.call {
      await gate.wait()
      return 1
    }
    await owner.run { 2 }
    await owner.start { 3 }.wait()
    #expect(await owner.committed == [])
    gate.open()
    await first.value
    #expect(await owner.committed == [.value(1)])
  }

  @Test("keepRunning: after a cancel the next run starts, although the old work still runs")
  func keepRunningAfterCancel() async {
    let owner = SlotOwner(.keepRunning)
    let (gate, ended) = (Gate(), Gate(isOpen: true))
    let first = await owner.call {
      await gate.wait()
      await ended.wait()
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    await first.value
    await owner.run { 2 }
    gate.open()
    await ended.waitForArrivals(1)
    await Self.letOthersRun()
    #expect(await owner.committed == [.value(2)])
  }

  @Test("join: a new call starts no work, and waits for the commit of the running work")
  func joinShares() async {
    let owner = SlotOwner(.join)
    let (gate, notes) = (Gate(), Notes())
    let first = await owner.call {
      await gate.wait()
      return 1
    }
    await gate.waitForArrivals(1)
    let second = await owner.call { 2 }
    let waiting = Task {
      await second.value
      notes.add("returned")
    }
    await Self.letOthersRun()
    #expect(notes.all == [])
    gate.open()
    await waiting.value
    #expect(await owner.committed == [.value(1)])
    await first.value
    await owner.run { 3 }
    #expect(await owner.committed == [.value(1), .value(3)])
  }

  @Test("serial: runs start one at a time, in the order of the calls")
  func serialKeepsOrder() async {
    let owner = SlotOwner(.serial)
    let gate = Gate()
    let runningCount = Atomic(0)
    var callers: [Task<Void, Never>] = []
    for number in 1...20 {
      callers.append(
        await owner.call {
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
      await callers[number - 1].value
      #expect(await owner.committed.count == number)
    }
    #expect(await owner.committed == (1...20).map(SlotOwner.Entry.value))
    #expect(owner.isRunning == false)
  }

  @Test("serial: a failure does not stop later runs")
  func serialSurvivesFailure() async {
    let owner = SlotOwner(.serial)
    owner.start { throw Failure() }
    await owner.run { 2 }
    #expect(await owner.committed == [.failure("Failure()"), .value(2)])
  }

  @Test("serial: runs that still wait when the slot is cancelled never begin")
  func serialCancel() async {
    let owner = SlotOwner(.serial)
    let (gate, begun) = (Gate(), Tally())
    var callers: [Task<Void, Never>] = []
    for number in 1...5 {
      callers.append(
        await owner.call {
          begun.increment()
          await gate.wait()
          return number
        })
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    for caller in callers { await caller.value }
    gate.open()
    // A serial run begins after all earlier work has ended.
    await owner.run { 6 }
    #expect(begun.count == 1)
    #expect(await owner.committed == [.value(6)])
  }

  @Test("concurrent: runs overlap, and each one commits")
  func concurrentRuns() async {
    let owner = SlotOwner(.concurrent)
    let gate = Gate()
    var callers: [Task<Void, Never>] = []
    for number in 1...5 {
      callers.append(
        await owner.call {
          await gate.wait()
          return number
        })
    }
    await gate.waitForArrivals(5)
    #expect(owner.isRunning)
    gate.release()
    while await owner.committed.count < 1 { await Task.yield() }
    #expect(owner.isRunning)
    gate.open()
    for caller in callers { await caller.value }
    #expect(Set(await owner.committed.compactMap(\.number)) == [1, 2, 3, 4, 5])
    #expect(owner.isRunning == false)
  }

  @Test("concurrent: after a newer run has ended, an older one still counts as running and can be cancelled")
  func concurrentOutlivesNewer() async {
    let owner = SlotOwner(.concurrent)
    let (gate, ended) = (Gate(), Gate(isOpen: true))
    let wasCancelled = Atomic(false)
    let older = await owner.call {
      await gate.wait()
      wasCancelled.store(Task.isCancelled, ordering: .relaxed)
      await ended.wait()
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.run { 2 }
    #expect(await owner.committed == [.value(2)])
    #expect(owner.isRunning)
    await owner.cancel()
    #expect(owner.isRunning == false)
    await older.value
    gate.open()
    await ended.waitForArrivals(1)
    await Self.letOthersRun()
    #expect(wasCancelled.load(ordering: .relaxed) == true)
    #expect(await owner.committed == [.value(2)])
  }

  /// Waits long enough for a wrong commit to happen.
  private static func letOthersRun() async { for _ in 0..<200 { await Task.yield() } }
}

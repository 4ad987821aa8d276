import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// Under `.serial`, no two runs ever overlap, even after a cancel: they may write to the same file.
@Suite("TaskSlot: serial runs and cancelled work", .timeLimit(.minutes(1)))
struct TaskSlotSerialTests {
  @Test("the next run waits for cancelled work that is still running", arguments: [1, 2])
  func waitsForCancelledWork(cancellations: Int) async {
    let (owner, gate, notes) = (SlotOwner(.serial), Gate(), Notes())
    await owner.run {
      await gate.wait()
      notes.add("the cancelled work ends")
      return 1
    }
    await gate.waitForArrivals(1)
    for _ in 0..<cancellations { await owner.cancel() }
    let next = await owner.run {
      notes.add("the next work begins")
      return 2
    }
    #expect(await owner.isRunning)
    await Self.letOthersRun()
    gate.open()
    await next.value
    #expect(notes.all == ["the cancelled work ends", "the next work begins"])
    #expect(await owner.committed == [.value(2)])
  }

  @Test("the next run also waits if runs in between were cancelled before they began")
  func waitsAcrossOthers() async {
    let (owner, gate, notes) = (SlotOwner(.serial), Gate(), Notes())
    await owner.run {
      await gate.wait()
      notes.add("the cancelled work ends")
      return 1
    }
    await gate.waitForArrivals(1)
    for _ in 1...2 {
      await owner.run {
        notes.add("work that was cancelled while it waited begins")
        return 2
      }
      await owner.cancel()
    }
    let next = await owner.run {
      notes.add("the next work begins")
      return 3
    }
    await Self.letOthersRun()
    gate.open()
    await next.value
    #expect(notes.all == ["the cancelled work ends", "the next work begins"])
    #expect(await owner.committed == [.value(3)])
  }

  @Test("objects that cancelled work captured are freed when it ends, without another run")
  func freesCancelledWork() async throws {
    let (owner, gate) = (SlotOwner(.serial), Gate())
    try await LeakTracker.check { tracker in
      let captured = tracker.track(Reentrant(7))
      let task = await owner.run {
        await gate.wait()
        return captured.number
      }
      await gate.waitForArrivals(1)
      await owner.cancel()
      gate.open()
      await task.value
    }
    #expect(await owner.isRunning == false)
  }

  /// Gives a run that wrongly does not wait the time to begin.
  private static func letOthersRun() async { for _ in 0..<200 { await Task.yield() } }
}

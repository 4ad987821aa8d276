import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// That under `.serial` no two are ever at work, whatever is cancelled: they may write to one file.
@Suite("TaskSlot: a queue and its cancelled work", .timeLimit(.minutes(1)))
struct TaskSlotQueueTests {
  @Test("the next run waits for cancelled work that is still under way", arguments: [1, 2])
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
    await Self.giveOthersAChance()
    gate.open()
    await next.value
    #expect(notes.all == ["the cancelled work ends", "the next work begins"])
    #expect(await owner.committed == [.value(2)])
  }

  @Test("it waits for that also where others, which never begin, were cancelled in between")
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
        notes.add("what was cancelled before its turn begins")
        return 2
      }
      await owner.cancel()
    }
    let next = await owner.run {
      notes.add("the next work begins")
      return 3
    }
    await Self.giveOthersAChance()
    gate.open()
    await next.value
    #expect(notes.all == ["the cancelled work ends", "the next work begins"])
    #expect(await owner.committed == [.value(3)])
  }

  @Test("what cancelled work captured is freed when it has ended, and nobody has to run anything for that")
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

  /// Time for whoever does not wait, though they should.
  private static func giveOthersAChance() async { for _ in 0..<200 { await Task.yield() } }
}

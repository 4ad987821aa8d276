import AsyncViewModelsTesting
import Foundation
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

/// Under `.serial`, no two runs ever overlap, even after a cancel. So all runs can write to the same file.
@Suite("TaskSlot: serial runs and cancelled work", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotSerialTests {
  @Test("the next run waits for cancelled work that is still running", arguments: [1, 2])
  func waitsForCancelledWork(cancellations: Int) async {
    let (owner, gate, notes) = (SlotOwner(.serial), Gate(), Notes())
    owner.start {
      await gate.wait()
      notes.add("the cancelled work ends")
      return 1
    }
    await gate.waitForArrivals(1)
    for _ in 0..<cancellations { await owner.cancel() }
    let next = owner.start {
      notes.add("the next work begins")
      return 2
    }
    #expect(owner.isRunning)
    await Self.letOthersRun()
    gate.open()
    await next.wait()
    #expect(notes.all == ["the cancelled work ends", "the next work begins"])
    #expect(await owner.committed == [.value(2)])
  }

  @Test("the next run waits for work whose last caller has left")
  func waitsForAbandonedWork() async {
    let (owner, gate, notes) = (SlotOwner(.serial), Gate(), Notes())
    let caller = await owner.call {
      await gate.wait()
      notes.add("the abandoned work ends")
      return 1
    }
    await gate.waitForArrivals(1)
    caller.cancel()
    await caller.value
    let next = owner.start {
      notes.add("the next work begins")
      return 2
    }
    await Self.letOthersRun()
    gate.open()
    await next.wait()
    #expect(notes.all == ["the abandoned work ends", "the next work begins"])
    #expect(await owner.committed == [.cancelled, .value(2)])
  }

  @Test("a caller that is cancelled before its turn leaves at once, and its work never begins")
  func leavesTheQueue() async {
    let (owner, gate, notes) = (SlotOwner(.serial), Gate(), Notes())
    let first = owner.start {
      await gate.wait()
      return 1
    }
    await gate.waitForArrivals(1)
    let leaving = await owner.call {
      notes.add("work whose caller has left begins")
      return 2
    }
    let last = owner.start { 3 }
    leaving.cancel()
    await leaving.value
    #expect(await owner.committed == [.cancelled])
    gate.open()
    await first.wait()
    await last.wait()
    #expect(notes.all == [])
    #expect(await owner.committed == [.cancelled, .value(1), .value(3)])
  }

  @Test("the next run waits for cancelled work, even if runs in between were cancelled before they began")
  func waitsAcrossOthers() async {
    let (owner, gate, notes) = (SlotOwner(.serial), Gate(), Notes())
    owner.start {
      await gate.wait()
      notes.add("the cancelled work ends")
      return 1
    }
    await gate.waitForArrivals(1)
    for _ in 1...2 {
      owner.start {
        notes.add("work that was cancelled while it waited begins")
        return 2
      }
      await owner.cancel()
    }
    let next = owner.start {
      notes.add("the next work begins")
      return 3
    }
    await Self.letOthersRun()
    gate.open()
    await next.wait()
    #expect(notes.all == ["the cancelled work ends", "the next work begins"])
    #expect(await owner.committed == [.value(3)])
  }

  @Test("the next run begins after the previous commit, even if it is started within that commit")
  func waitsForTheCommit() async {
    let owner = SlotOwner(.serial)
    for round in 0..<300 {
      let (slot, isCommitting) = (TaskSlot(.serial), StateStore(false))
      let (began, begun) = AsyncStream<Bool>.makeStream()
      _ = slot.start(on: owner) {
        round
      } commit: { owner, _ in
        isCommitting.send(true)
        _ = slot.start(on: owner) {
          begun.yield(isCommitting.value)
        } commit: { _, _ in
        }
        // Waits long enough for a run to begin too early on another thread.
        for _ in 0..<20 { sched_yield() }
        isCommitting.send(false)
      }
      let isEarly = await began.first { _ in true }
      #expect(isEarly == false)
    }
  }

  @Test("a run that is started within a commit gets the committing task as its predecessor")
  func predecessorInTheCommit() throws {
    let runs = TaskRuns(.serial)
    let first = Self.start(in: runs)
    let run = try #require(first.share?.run)
    var second: Start?
    runs.end(run) { second = Self.start(in: runs) }
    #expect(second?.predecessor == first.task)
    #expect(first.predecessor == nil)
  }

  @Test("a run that is started after a cancellation gets the cancelled task as its predecessor")
  func predecessorAfterACancellation() {
    let runs = TaskRuns(.serial)
    let first = Self.start(in: runs)
    runs.cancel(at: nil)
    #expect(Self.start(in: runs).predecessor == first.task)
  }

  private typealias Start = (
    share: TaskRuns.Share?, task: Task<Void, Never>, predecessor: Task<Void, Never>?
  )

  /// Starts a run whose task does nothing.
  private static func start(in runs: TaskRuns) -> Start {
    let task = Task<Void, Never> {}
    var predecessor: Task<Void, Never>?
    let share = runs.start(at: nil, on: Self.self) { _, earlier in
      predecessor = earlier
      return (task, { _ in })
    }
    return (share, task, predecessor)
  }

  @Test("when cancelled work ends, the slot does not keep the objects that the work captured")
  func freesCancelledWork() async throws {
    let (owner, gate) = (SlotOwner(.serial), Gate())
    try await LeakTracker.check { tracker in
      let captured = tracker.track(Reentrant(7))
      owner.start {
        await gate.wait()
        return captured.number
      }
      await gate.waitForArrivals(1)
      await owner.cancel()
      gate.open()
    }
    #expect(owner.isRunning == false)
  }

  /// Waits long enough for a run to begin too early.
  private static func letOthersRun() async { for _ in 0..<200 { await Task.yield() } }
}

import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("TaskSlot: races of callers", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotCallerRaceTests {
  /// Counts the outcomes that were committed.
  private struct Counts {
    let values = Tally()
    let cancellations = Tally()
    var total: Int { values.count + cancellations.count }

    func add(_ outcome: TaskOutcome<Int>) {
      switch outcome {
      case .success: values.increment()
      case .failure: Issue.record("the work does not fail")
      case .cancelled: cancellations.increment()
      }
    }
  }

  /// Suspends three times, and throws `CancellationError` if it is cancelled.
  private static let cancellableWork: SlotOwner.Work = {
    for _ in 0..<3 {
      await Task.yield()
      try Task.checkCancellation()
    }
    return 1
  }

  @Test("if a caller is cancelled while the work ends, one outcome is committed, before the caller returns")
  func leaveAgainstEnd() async throws {
    let owner = SlotOwner()
    let counts = Counts()
    for round in 1...3_000 {
      let caller = Task.detached {
        await owner.slot.run(on: owner, Self.cancellableWork) { _, outcome in counts.add(outcome) }
        #expect(counts.total == round)
      }
      for _ in 0..<(round % 5) { await Task.yield() }
      caller.cancel()
      await caller.value
      #expect(counts.total == round)
      try Task.checkCancellation()
    }
    await owner.run { 2 }
    #expect(counts.total == 3_000)
  }

  @Test("if a caller joins while the only other caller is cancelled, the joining caller gets a value")
  func joinAgainstLastLeave() async throws {
    let owner = SlotOwner(.join)
    let counts = Counts()
    for round in 1...3_000 {
      let leaving = Task.detached {
        await owner.slot.run(on: owner, Self.cancellableWork) { _, outcome in counts.add(outcome) }
      }
      let joining = Task.detached {
        let before = counts.values.count
        await owner.slot.run(on: owner, Self.cancellableWork) { _, outcome in counts.add(outcome) }
        #expect(counts.values.count > before)
      }
      // In every fourth round, the leaving caller is usually cancelled before it starts.
      for _ in 0..<(round % 4) { await Task.yield() }
      leaving.cancel()
      await leaving.value
      await joining.value
      try Task.checkCancellation()
    }
    #expect(!owner.isRunning)
  }

  @Test(
    "under every policy, callers that come and leave all return, and the slot is then idle",
    arguments: TaskSlot.Policy.all)
  func mixed(policy: TaskSlot.Policy) async throws {
    let owner = SlotOwner(policy)
    let slot = owner.slot
    await withTaskGroup { group in
      for caller in 0..<6 {
        group.addTask {
          for round in 0..<200 {
            let call = Task.detached {
              switch (caller + round) % 4 {
              case 0: await slot.wait()
              case 1:
                await slot.run(on: owner, inSteps: { _ = await $0 { $0.add(1) } }, onCancel: { $0.add(2) })
              default: await owner.run(Self.cancellableWork)
              }
            }
            if round % 3 == 0 { call.cancel() }
            if round % 20 == caller { slot.cancel() }
            await call.value
          }
        }
      }
    }
    #expect(!slot.isRunning)
    await owner.run { 7 }
    #expect(await owner.committed.last == .value(7))
  }

  @Test("run returns after its commit, even if the work ends at once")
  func returnsAfterItsCommit() async {
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          let owner = SlotOwner()
          for round in 1...2_000 {
            let commits = Tally()
            await owner.slot.run(on: owner) {
              round
            } commit: { _, _ in
              commits.increment()
            }
            #expect(commits.count == 1)
          }
        }
      }
    }
  }

  @Test("every caller returns, even if one thread cancels the slot and another releases it during the runs")
  func release() async {
    for _ in 0..<500 {
      let runs = Mutex<[TaskSlot.Run]>([])
      let owner = SlotOwner(.join)
      let slot = Mutex<TaskSlot?>(TaskSlot(.join))
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        let used = slot.withLock { $0 }
        switch thread {
        case 0: slot.take()
        case 1: used?.cancel()
        default:
          if let run = used?.start(on: owner, { await Task.yield() }, commit: { _, _ in }) {
            runs.withLock { $0.append(run) }
          }
        }
      }
      for run in runs.withLock({ $0 }) { await run.wait() }
    }
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("TaskSlot: many callers", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotRaceTests {
  @Test("if many callers start and cancel runs, a run commits only while it is the newest")
  func race() async {
    let owner = SlotOwner(.latest)
    await withTaskGroup { group in
      for caller in 0..<8 {
        group.addTask {
          for round in 0..<1_000 {
            let run = await owner.startNumbered()
            switch (caller + round) % 5 {
            case 0: await owner.cancel()
            case 1, 2: await run.wait()
            default: break
            }
          }
        }
      }
    }
    await owner.startNumbered().wait()
    #expect(await owner.staleCommits == 0)
    #expect(await owner.committed.last == .value(8_001))
    #expect(owner.isRunning == false)
  }

  @Test(
    "if many callers start work, the slot is idle in the end under every policy",
    arguments: TaskSlot.Policy.all)
  func raceOfPolicies(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for round in 0..<250 {
            if round % 2 == 0 { await owner.run { round } } else { owner.start { round } }
          }
        }
      }
    }
    await owner.run { -1 }
    while owner.isRunning { await Task.yield() }
    let committed = await owner.committed
    switch policy {
    case .serial, .concurrent: #expect(committed.count == 2_001)
    case .latest: #expect(committed.last == .value(-1))
    case .join, .keepRunning: #expect(!committed.isEmpty)
    }
  }
}

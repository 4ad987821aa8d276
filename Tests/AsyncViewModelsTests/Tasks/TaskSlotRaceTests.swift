import AsyncViewModels
import Testing

@Suite("TaskSlot: many callers", .timeLimit(.minutes(1)))
struct TaskSlotRaceTests {
  private static let policies: [TaskSlot.Policy] = [.latest, .keepRunning, .join, .serial, .concurrent]

  @Test("if many callers run and cancel, a run commits only while it is the newest")
  func race() async {
    let owner = SlotOwner(.latest)
    await withTaskGroup { group in
      for caller in 0..<8 {
        group.addTask {
          for round in 0..<1_000 {
            let task = await owner.runNumbered()
            switch (caller + round) % 5 {
            case 0: await owner.cancel()
            case 1, 2: await task.value
            default: break
            }
          }
        }
      }
    }
    await owner.runNumbered().value
    #expect(await owner.staleCommits == 0)
    #expect(await owner.committed.last == .value(8_001))
    #expect(await owner.isRunning == false)
  }

  @Test("if many callers start work, the slot is idle in the end under every policy", arguments: policies)
  func raceOfPolicies(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for round in 0..<250 {
            let task = await owner.run { round }
            if round % 2 == 0 { await task.value }
          }
        }
      }
    }
    await owner.run { -1 }.value
    while await owner.isRunning { await Task.yield() }
    let committed = await owner.committed
    if policy == .serial { #expect(committed.count == 2_001) }
    #expect(!committed.isEmpty)
  }
}

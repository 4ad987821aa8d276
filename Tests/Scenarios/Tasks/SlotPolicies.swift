import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let slotPolicies = Scenario(
    "tasks/slot-policies",
    "a new run during another one is dropped, joins, waits for its turn, or runs beside it", tasks: 4
  ) { world in
    let policy = world.choose(from: [TaskSlot.Policy.serial, .keepRunning, .join, .concurrent])
    let owner = SlotOwner(policy, world)
    for number in 1...3 {
      world.spawn("starter \(number)") {
        let run = await owner.start(number)
        await run.value
      }
    }
    await world.settle()
    let (started, commits, peak) = await (owner.started, owner.commits.map(\.run), owner.peak)
    switch policy {
    case .serial:
      world.expectEqual(commits, started, "in their turn:")
      world.expectEqual(peak, 1, "at the same time:")
    case .keepRunning, .join:
      world.expect(!commits.isEmpty && commits.count <= 3, "\(commits)")
      world.expectEqual(peak, 1, "at the same time:")
    case .concurrent, .latest: world.expectEqual(commits.sorted(), started.sorted())
    }
    let isRunning = await owner.isRunning
    world.expect(!isRunning, "the slot is still running")
  }
}

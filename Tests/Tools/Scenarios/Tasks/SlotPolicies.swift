import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let slotPolicies = Scenario(
    "tasks/slot-policies",
    "a run that starts during another one is dropped, joins it, waits for its turn, or runs beside it",
    tasks: 4
  ) { world in
    let policy = world.choose(from: [TaskSlot.Policy.serial, .keepRunning, .join, .concurrent])
    let owner = SlotOwner(policy, world)
    for number in 1...3 {
      world.spawn("starter \(number)") {
        let before = owner.state.commits.count
        if world.flip() { await owner.run(number) } else { await owner.start(number).wait() }
        world.expect(
          policy == .keepRunning || owner.state.commits.count > before, "returned before the commit")
      }
    }
    await world.settle()
    let (started, commits) = (owner.state.started, owner.state.commits.map(\.run))
    switch policy {
    case .serial:
      world.expectEqual(commits, started, "in their turn:")
      world.expectEqual(owner.peak, 1, "at the same time:")
    case .keepRunning, .join:
      world.expectEqual(commits, owner.state.startedIdle, "started without another run:")
      world.expectEqual(owner.peak, 1, "at the same time:")
    case .concurrent, .latest: world.expectEqual(commits.sorted(), started.sorted())
    }
    world.expect(!owner.slot.isRunning, "the slot is still running")
  }
}

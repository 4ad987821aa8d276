import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let supersededCommit = Scenario(
    "tasks/superseded-commit",
    """
    under `.latest` only the newest run commits, and no run commits after a cancel, even if the work \
    ignores cancellation
    """, tasks: 4
  ) { world in
    let owner = SlotOwner(.latest, world)
    for number in 1...2 {
      world.spawn("starter \(number)") {
        _ = await owner.start(number)
        await Task.yield()
        await owner.start(number + 10).wait()
      }
    }
    world.spawn("cancel", canBeLeftOut: true) {
      await Task.yield()
      await owner.cancel()
    }
    await world.settle()
    let commits = owner.state.commits
    if let newest = owner.state.newest {
      world.expectEqual(commits.last?.run, newest, "nothing cancelled the newest run; the last commit:")
    }
    world.expect(commits.allSatisfy(\.wasNewest), "a superseded run has committed: \(commits)")
    world.expect(!owner.slot.isRunning, "the slot is still running")
  }
}

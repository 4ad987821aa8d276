import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let slotPositions = Scenario(
    "tasks/slot-positions",
    """
    each task takes the next position in an update of the state; the tasks then start or cancel in any \
    order: the highest position wins, and no commit follows a commit with a higher position
    """, tasks: 4
  ) { world in
    let owner = SlotOwner(.latest, world)
    for number in 1...3 {
      world.spawn("starter \(number)") {
        if world.flip() { await Task.yield() }
        let position = owner.drawPosition()
        await Task.yield()
        await owner.start(at: position).wait()
      }
    }
    let cancelled = EventLog<(position: Int, commits: Int)>()
    world.spawn("cancel", canBeLeftOut: true) {
      await Task.yield()
      let position = owner.drawPosition(cancels: true)
      await Task.yield()
      owner.slot.cancel(at: position)
      cancelled.append((position, owner.state.commits.count))
    }
    await world.settle()
    let (state, runs) = (owner.state, owner.state.commits.map(\.run))
    world.expectEqual(runs, runs.sorted(), "the order of the commits:")
    let cancel = cancelled.values.first ?? (0, 0)
    // Commits before the cancel remain. After the cancel, only runs with a higher position commit.
    let late = runs.dropFirst(cancel.commits).filter { $0 < cancel.position }
    world.expectEqual(late, [], "commits after the cancel:")
    if cancel.position != state.position {
      world.expectEqual(runs.last ?? 0, state.position, "the last commit:")
    }
    world.expect(!owner.slot.isRunning, "the slot is still running")
  }
}

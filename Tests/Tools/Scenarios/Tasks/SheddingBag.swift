import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let sheddingBag = Scenario(
    "tasks/shedding-bag",
    "a bag drops ended tasks, keeps running ones, and cancels them when it is released", tasks: 2
  ) { world in
    var bag: TaskBag? = TaskBag()
    let cancelled = EventLog<Int>()
    for number in 1...3 {
      bag?.run {
        do { try await world.faults.latency() } catch { cancelled.append(number) }
      }
    }
    if world.flip() {
      await world.settle()
      world.expectEqual(bag?.count ?? -1, 0, "tasks in the bag:")
      world.expect(cancelled.values.isEmpty, "cancelled without a cancel")
    }
    bag = nil
    let ended = world.clock.now
    await world.settle()
    world.expectEqual(world.clock.now, ended, "the time after the end of the bag:")
  }
}

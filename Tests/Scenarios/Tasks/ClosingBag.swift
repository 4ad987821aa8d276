import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let closingBag = Scenario(
    "tasks/closing-bag",
    "work that is added before, while or after a bag closes is cancelled, and the bag keeps nothing", tasks: 4
  ) { world in
    let bag = TaskBag()
    for number in 1...2 {
      world.spawn("adds \(number)") {
        if world.flip() { await Task.yield() }
        if world.flip() {
          bag.run { await untilCancelled(world) }
        } else {
          bag.insert(Task { await untilCancelled(world) })
        }
      }
    }
    let token = CancellationToken {}
    world.spawn("closes") {
      await Task.yield()
      bag.close()
    }
    world.spawn("adds a token") { bag.insert(token) }
    await world.settle()
    world.expect(token.isCancelled, "a token outlives the bag")
    world.expectEqual(bag.count, 0, "tasks in the bag:")
  }

  /// Suspends its task until the task is cancelled.
  private static func untilCancelled(_ world: SimulatedWorld) async {
    let never = EventChannel<Int>()
    for await _ in never.events() { world.fail("an event without a sender") }
    world.expect(Task.isCancelled, "ended by itself")
  }
}

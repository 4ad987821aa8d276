import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let closingBag = Scenario(
    "tasks/closing-bag",
    "work that is added before, while or after a bag closes is cancelled, and the bag keeps nothing", tasks: 4
  ) { world in
    let bag = TaskBag()
    let cancelled = EventLog<Int>()
    for number in 1...2 {
      world.spawn("adds \(number)") {
        if world.flip() { await Task.yield() }
        if world.flip() {
          bag.run { await wait(in: world, number, cancelled) }
        } else {
          bag.insert(Task { await wait(in: world, number, cancelled) })
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
    world.expectEqual(cancelled.values.sorted(), [1, 2], "cancelled:")
    world.expect(token.isCancelled, "a token outlives the bag")
    world.expectEqual(bag.count, 0, "tasks in the bag:")
  }

  /// Sleeps for 1,000 seconds. If the sleep is cancelled, records `number`.
  private static func wait(in world: SimulatedWorld, _ number: Int, _ cancelled: EventLog<Int>) async {
    do {
      try await world.clock.sleep(for: .seconds(1_000))
    } catch {
      cancelled.append(number)
    }
  }
}

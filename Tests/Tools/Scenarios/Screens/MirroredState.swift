import AsyncViewModelsSimulation
import AsyncViewModelsUI

extension Scenario {
  static let mirroredState = Scenario(
    "screens/mirrored-state",
    """
    a `StateMirror` gets the states in order and always gets the last one, passes the current state to \
    all of its bindings, and stops observing when it is released
    """, tasks: 2
  ) { world in
    let model = Model()
    let sender = world.spawn("sender") {
      for number in 1...2 {
        model.store.send(number)
        await Task.yield()
      }
    }
    try await mirror(model, sender, in: world)
    await sender.waitForEnd()
    await world.settle()
    world.expectEqual(model.store.observerCount, 0, "observers left:")
  }

  private final class Model: StateSource {
    let store = StateStore(0)
  }

  @MainActor
  private static func mirror(
    _ model: Model, _ sender: SimulatedTask, in world: SimulatedWorld
  ) async throws {
    let seen = EventLog<Int>()
    let mirror = StateMirror(model)
    let bindings = (1...2).map { _ in
      mirror.bind(on: seen) { seen, value in
        world.expectEqual(value, model.store.value, "the value that a binding gets:")
        seen.append(value)
      }
    }
    if world.flip() {
      await sender.waitForEnd()
      await world.settle()
      world.expectEqual(mirror.value, 2, "the observed state at rest:")
      world.expectEqual(seen.values.last, 2, "the last value seen:")
    }
    let (first, second) = (
      seen.values.indices.filter { $0 % 2 == 0 }, seen.values.indices.filter { $0 % 2 == 1 }
    )
    world.expectEqual(
      first.map { seen.values[$0] }, second.map { seen.values[$0] }, "seen by both, one value at a time:")
    world.expectEqual(seen.values, seen.values.sorted(), "in order:")
    for binding in bindings { binding.cancel() }
  }
}

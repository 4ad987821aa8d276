import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let debounceAtTheEdge = Scenario(
    "timing/debounce-at-the-edge",
    """
    elements come before, at and after the very end of an interval: each burst yields one element, the last \
    element always passes, and an element that another element follows within the interval never passes
    """, tasks: 3
  ) { world in
    let source = EventChannel<Int>()
    let debounced = source.events().debounced(for: .milliseconds(300), clock: world.clock)
    let pauses = (0..<3).map { _ in world.choose(from: [100, 200, 300, 400]) }
    let emitted = EventLog<Int>()
    let reader = world.spawn("reader") { for await element in debounced { emitted.append(element) } }
    await world.settle()
    world.spawn("typist") {
      source.send(0)
      for (index, pause) in pauses.enumerated() {
        try await world.clock.sleep(for: .milliseconds(pause))
        source.send(index + 1)
      }
      if world.flip() { try await world.clock.sleep(for: .milliseconds(300)) }
      source.finish()
    }
    await reader.waitForEnd()
    let certain = pauses.indices.filter { pauses[$0] > 300 } + [3]
    let possible = pauses.indices.filter { pauses[$0] >= 300 } + [3]
    world.expect(Set(emitted.values).isSuperset(of: certain), "pauses \(pauses): \(emitted.values)")
    world.expect(Set(emitted.values).isSubset(of: possible), "pauses \(pauses): \(emitted.values)")
    world.expectEqual(emitted.values, emitted.values.sorted(), "in order:")
    await world.settle()
    world.expectEqual(world.clock.sleeperCount, 0, "sleepers left:")
  }
}

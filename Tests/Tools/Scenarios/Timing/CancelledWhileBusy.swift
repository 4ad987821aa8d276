import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let cancelledWhileBusy = Scenario(
    "timing/cancelled-while-busy",
    """
    a reader that is cancelled while it processes an element gets none of the elements that become due \
    meanwhile
    """, tasks: 2
  ) { world in
    let source = EventChannel<Int>()
    let debounced = source.events().debounced(for: .milliseconds(100), clock: world.clock)
    let seen = EventLog<Int>()
    let reader = world.spawn("reader") {
      for await element in debounced {
        seen.append(element)
        await Task.detached { try? await world.clock.sleep(for: .seconds(1)) }.value
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      }
    }
    await world.settle()
    for element in 1...3 {
      source.send(element)
      try await world.clock.sleep(for: .milliseconds(world.choose(from: [100, 200, 50])))
    }
    await reader.waitForEnd()
    world.expectEqual(seen.values.count, 1, "elements, of \(seen.values):")
    await world.settle()
    world.expectEqual(source.observerCount, 0, "the source is still read:")
  }
}

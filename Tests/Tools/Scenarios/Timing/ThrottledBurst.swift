import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let throttledBurst = Scenario(
    "timing/throttled-burst",
    """
    a throttle keeps its interval and the order of the elements, delivers the last element, and releases \
    everything when its reader is cancelled
    """, tasks: 4
  ) { world in
    let source = EventChannel<Int>()
    let throttled = source.events().throttled(for: .milliseconds(200), clock: world.clock)
    let emitted = EventLog<Int>()
    let times = EventLog<VirtualClock.Instant>()
    let reader = world.spawn("reader") {
      for await element in throttled {
        emitted.append(element)
        times.append(world.clock.now)
      }
    }
    await world.settle()
    world.spawn("sender") {
      for number in 0..<4 {
        source.send(number)
        try await world.clock.sleep(for: .milliseconds(world.choose(from: [100, 200, 0])))
      }
      if world.flip() { try await world.clock.sleep(for: .seconds(1)) }
      source.finish()
    }
    let isCancelled = world.flip()
    if isCancelled { world.faults.cancellation(of: reader, upTo: .milliseconds(400)) }
    await reader.waitForEnd()
    let values = emitted.values
    world.expectEqual(values, values.sorted(), "in order:")
    for (earlier, later) in zip(times.values, times.values.dropFirst().dropLast()) {
      world.expect(earlier.duration(to: later) >= .milliseconds(200), "too close: \(times.values)")
    }
    if !isCancelled { world.expectEqual(values.last, 3, "the last of all:") }
    source.finish()
    await world.settle()
    world.expectEqual(source.observerCount, 0, "the source is still read:")
    world.expectEqual(world.clock.sleeperCount, 0, "sleepers left:")
  }
}

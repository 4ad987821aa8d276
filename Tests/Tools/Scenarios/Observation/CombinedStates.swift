import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let combinedStates = Scenario(
    "observation/combined-states",
    """
    a stream of the latest values of two states never goes back, yields the last values of both, and ends \
    when both states have finished or its reader is cancelled
    """, tasks: 4
  ) { world in
    let states = [StateStore(0), StateStore(0)]
    let seen = EventLog<[Int]>()
    let pairs = AsyncStream(combiningLatest: states[0].values(), states[1].states())
    let isCancelled = world.flip()
    let staysOpen = isCancelled && world.flip()
    let reader = world.spawn("reader") {
      for await (first, second) in pairs {
        let last = seen.values.last ?? [0, 0]
        world.expect(last[0] <= first && last[1] <= second, "\((first, second)) came after \(last)")
        seen.append([first, second])
        if world.flip() { await Task.yield() }
      }
    }
    for (number, state) in states.enumerated() {
      world.spawn("sender \(number)") {
        for value in 1...2 {
          state.send(value)
          await Task.yield()
        }
        if !staysOpen { state.finish() }
      }
    }
    if isCancelled { world.faults.cancellation(of: reader) }
    await reader.waitForEnd()
    await world.settle()
    if !isCancelled { world.expectEqual(seen.values.last, [2, 2], "the last values:") }
    world.expectEqual(states.map(\.observerCount), [0, 0], "observers left:")
    withExtendedLifetime(pairs) {}
  }
}

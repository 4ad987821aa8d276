import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain

extension Scenario {
  static let concurrentMap = Scenario(
    "timing/concurrent-map",
    """
    the results of a concurrent map have the order of the elements; the first error ends the map, and no \
    transform runs after the end of the map
    """, tasks: 3
  ) { world in
    let working = EventLog<Int>()
    let fails = world.flip()
    let caller = world.spawn("caller") {
      do {
        let results = try await [1, 2, 3].concurrentMap(limit: 2) { element in
          working.begin()
          defer { working.end() }
          try await world.faults.latency()
          if fails, element == 2 { throw ServiceError.timedOut }
          return element * 10
        }
        world.expectEqual(results, [10, 20, 30])
        world.expect(!fails, "the error was lost")
      } catch ServiceError.timedOut {
        world.expect(fails, "an error without a failure")
      }
      world.expectEqual(working.current, 0, "still running:")
    }
    world.faults.cancellation(of: caller, upTo: .seconds(1))
    await caller.waitForEnd()
    world.expect(working.peak <= 2, "\(working.peak) at once, of 2")
  }
}

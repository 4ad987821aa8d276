import AsyncViewModelsRequests
import AsyncViewModelsSimulation
import Synchronization

extension Scenario {
  static let joinAgainstLastCancel = Scenario(
    "tasks/join-against-last-cancel",
    """
    one of two callers of a single flight is cancelled at any moment: the other caller never joins an \
    abandoned flight, and gets the value
    """, tasks: 3
  ) { world in
    let flights = SingleFlight<String, Int>()
    let started = Mutex(0)
    @Sendable func call(_ name: String, mayBeCancelled: Bool) async throws {
      do {
        let value = try await flights.value(for: "key") {
          started.withLock { $0 += 1 }
          try await world.faults.latency()
          return 42
        }
        world.expectEqual(value, 42)
      } catch is CancellationError {
        world.expect(mayBeCancelled, "\(name) was not cancelled, but got a cancellation")
      }
    }
    let first = world.spawn("first") { try await call("first", mayBeCancelled: true) }
    let second = world.spawn("second") { try await call("second", mayBeCancelled: false) }
    let cancel = world.faults.cancellation(of: first, upTo: .seconds(1))
    for task in [first, second, cancel] { await task.waitForEnd() }
    await world.settle()
    world.expectEqual(flights.count, 0, "flights at the end")
    world.expect((1...2).contains(started.withLock { $0 }), "work was started a third time")
  }
}

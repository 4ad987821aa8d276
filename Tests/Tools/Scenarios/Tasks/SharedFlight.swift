import AsyncViewModelsRequests
import AsyncViewModelsSimulation

extension Scenario {
  static let sharedFlight = Scenario(
    "tasks/shared-flight",
    """
    callers of one flight share its work; a cancelled caller returns without waiting for the work; if all \
    callers of a flight are cancelled, its work is cancelled, and the next caller starts new work, even if \
    the old work ignores cancellation
    """, tasks: 4
  ) { world in
    let flights = SingleFlight<Int, Int>()
    let work = EventLog<Int>()
    let firstCallers = EventLog<Int>()
    let callers = (1...3).map { number in
      world.spawn("caller \(number)") {
        if world.flip() { await Task.yield() }
        // No other task runs between this check and the call, which joins or starts a flight at once.
        if flights.count == 0, !Task.isCancelled { firstCallers.append(number) }
        do {
          let value = try await flights.value(for: 7) {
            let flight = work.begin()
            defer { work.end() }
            await world.faults.deafLatency()
            if Task.isCancelled { work.append(flight) }
            return flight
          }
          world.expect(!work.values.contains(value), "the answer of a cancelled flight")
        } catch {
          world.expect(error is CancellationError && Task.isCancelled, "\(error) for a caller that stayed")
        }
      }
    }
    world.faults.cancellation(of: callers[0], upTo: .milliseconds(400))
    world.faults.cancellation(of: callers[1])
    for caller in callers { await caller.waitForEnd() }
    world.expectEqual(flights.count, 0, "flights left:")
    await world.settle()
    world.expectEqual(work.begun, firstCallers.values.count, "flights:")
  }
}

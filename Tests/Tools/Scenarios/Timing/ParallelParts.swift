import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain

extension Scenario {
  static let parallelParts = Scenario(
    "timing/parallel-parts",
    """
    the outcome of each part is delivered exactly once, even if the part fails or the caller is \
    cancelled, and no more parts run at once than the limit allows
    """, tasks: 4
  ) { world in
    let (working, received) = (EventLog<Int>(), EventLog<Int>())
    let limit = 1 + world.choose(2)
    let caller = world.spawn("caller") {
      await (1...3).runConcurrently(limit: limit) { part in
        working.begin()
        defer { working.end() }
        try await world.faults.latency()
        try world.faults.failure(ServiceError.timedOut)
        return part
      } receive: { part, outcome in
        received.append(part)
        if case .success(let value) = outcome { world.expectEqual(value, part) }
        if world.flip() { await Task.yield() }
      }
      world.expectEqual(working.current, 0, "still running:")
    }
    world.faults.cancellation(of: caller, upTo: .seconds(1))
    await caller.waitForEnd()
    world.expectEqual(received.values.sorted(), [1, 2, 3], "delivered:")
    world.expect(working.peak <= limit, "\(working.peak) at once, of \(limit)")
  }
}

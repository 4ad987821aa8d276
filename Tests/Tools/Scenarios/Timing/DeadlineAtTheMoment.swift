import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let deadlineAtTheMoment = Scenario(
    "timing/deadline-at-the-moment",
    """
    an operation ends before, at or after its deadline, and its caller may be cancelled, also before the \
    operation begins: there is one outcome, and nothing keeps running
    """, tasks: 2
  ) { world in
    let abandons = world.flip()
    let duration = world.choose(from: [500, 1_000, 1_500])
    let begun = EventLog<Int>()
    let ended = EventLog<Int>()
    let caller = world.spawn("caller") {
      let operation: @Sendable () async throws -> Int = {
        begun.append(1)
        defer { ended.append(1) }
        try await world.clock.sleep(for: .milliseconds(duration))
        return 7
      }
      do {
        let value =
          if abandons {
            try await withAbandoningDeadline(.seconds(1), clock: world.clock, operation: operation)
          } else {
            try await withDeadline(.seconds(1), clock: world.clock, operation: operation)
          }
        world.expectEqual(value, 7)
        world.expect(duration <= 1_000, "a value after the deadline")
      } catch is DeadlineExceeded {
        world.expect(duration >= 1_000, "an early deadline")
      } catch {
        world.expect(error is CancellationError && Task.isCancelled, "\(error)")
      }
      if !Task.isCancelled { world.expectEqual(begun.values, [1], "the operation has begun:") }
      if !abandons { world.expectEqual(ended.values, begun.values, "an operation that has begun has ended:") }
    }
    if world.flip() { world.faults.cancellation(of: caller, upTo: .milliseconds(1_000)) }
    await caller.waitForEnd()
    await world.settle()
    world.expectEqual(ended.values, begun.values, "an operation that has begun has ended:")
    world.expectEqual(world.clock.sleeperCount, 0, "sleepers left:")
  }
}

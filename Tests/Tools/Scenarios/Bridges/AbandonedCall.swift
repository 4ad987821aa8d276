import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let abandonedCall = Scenario(
    "bridges/abandoned-call",
    """
    an answer, a deadline and a cancellation come in any order or at the same moment: the caller gets \
    exactly one of them, and a call that the caller abandons is cancelled
    """, tasks: 2
  ) { world in
    let (calls, cancelled) = (EventLog<Int>(), EventLog<Int>())
    let caller = world.spawn("caller") {
      var answered = false
      do {
        _ = try await withCompletionHandler(deadline: .seconds(1), clock: world.clock) {
          completion -> CancellationToken in
          calls.append(1)
          world.spawn("service") {
            if world.flip() { try await world.faults.latency() }
            if world.flip() { completion(.success(1)) }
          }
          return CancellationToken { cancelled.append(1) }
        }
        answered = true
      } catch is DeadlineExceeded {
        world.expectEqual(world.clock.now, VirtualClock.Instant(offset: .seconds(1)), "the deadline:")
      } catch {
        world.expect(error is CancellationError && Task.isCancelled, "\(error)")
      }
      world.expectEqual(cancelled.values, answered ? [] : calls.values, "cancelled:")
    }
    if world.flip() { world.faults.cancellation(of: caller, upTo: .seconds(1)) }
    await caller.waitForEnd()
    await world.settle()
    world.expectEqual(world.clock.sleeperCount, 0, "sleepers left:")
  }
}

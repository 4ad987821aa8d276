import Domain
import ViewModelTesting

extension Scenario {
  static let abandonedCall = Scenario(
    "bridges/abandoned-call",
    """
    an answer, a deadline and a cancellation, also at the very same moment: the caller hears \
    of one, and what it gave up is called off
    """, tasks: 4
  ) { world in
    let calledOff = EventLog<Int>()
    let caller = world.spawn("caller") {
      var answered = false
      do {
        _ = try await withCompletionHandler(deadline: .seconds(1), clock: world.clock) {
          completion -> CancellationToken in
          world.spawn("service") {
            if world.flip() { try await world.faults.latency() }
            if world.flip() { completion(.success(1)) }
          }
          return CancellationToken { calledOff.append(1) }
        }
        answered = true
      } catch is DeadlineExceeded {
        world.expectEqual(world.clock.now, VirtualClock.Instant(offset: .seconds(1)), "the deadline:")
      } catch {
        world.expect(error is CancellationError && Task.isCancelled, "\(error)")
      }
      let begun = calledOff.values.count
      world.expect(answered ? begun == 0 : begun <= 1, "called off \(begun) times")
    }
    world.faults.cancellation(of: caller)
    await caller.finish()
    await world.settle()
    world.expectEqual(world.clock.sleeperCount, 0, "sleepers left:")
  }
}

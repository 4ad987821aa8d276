import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let slotCallers = Scenario(
    "tasks/slot-callers",
    """
    callers share a run, or a newer run replaces the older one; a cancelled caller returns without waiting \
    for the work; if all callers are cancelled, the work is cancelled, and the cancellation is committed \
    before the last caller returns; for a caller that is not cancelled, a value is committed
    """, tasks: 5
  ) { world in
    let owner = SlotOwner(world.flip() ? .join : .latest, world)
    let calls = EventLog<Int>()
    let callers = (1...3).map { number in
      world.spawn("caller \(number)") {
        if world.flip() { await Task.yield() }
        let before = owner.state.commits.count
        let cancelled = EventLog<VirtualClock.Instant>()
        calls.begin()
        await withTaskCancellationHandler {
          await owner.run(number)
        } onCancel: {
          cancelled.append(world.clock.now)
        }
        calls.end()
        let commits = owner.state.commits.dropFirst(before)
        if let time = cancelled.values.first {
          world.expectEqual(world.clock.now, time, "the time at which a cancelled caller left:")
        } else {
          world.expect(commits.contains { !$0.isCancelled }, "no value for a caller that stayed")
        }
        if calls.current == 0 {
          world.expect(!commits.isEmpty, "the last caller has left without a commit")
          world.expect(!owner.slot.isRunning, "work without a caller")
        }
      }
    }
    world.faults.cancellation(of: callers[0], upTo: .milliseconds(400))
    world.faults.cancellation(of: callers[1])
    for caller in callers { await caller.waitForEnd() }
    await world.settle()
    let commits = owner.state.commits
    world.expect(commits.count <= 3, "more commits than callers: \(commits)")
    world.expect(commits.count { !$0.isCancelled } <= owner.begun, "a value without work: \(commits)")
  }
}

import AsyncViewModelsSimulation
import AsyncViewModelsUI

extension Scenario {
  static let retentionAgainstLease = Scenario(
    "store/retention-against-lease",
    """
    a screen comes back at the very end of its view model's retention: the screen gets the live view model \
    or a new one, never a released one, and the end of a retention never releases a leased view model
    """, tasks: 4
  ) { world in
    final class Model: Sendable {
      let number: Int
      init(number: Int) { self.number = number }
    }
    let made = EventLog<Int>()
    let store = ViewModelStore<Int, Model>(
      retention: .seconds(1), clock: world.clock, isolation: world.isolation
    ) { _ in
      made.append(1)
      return Model(number: made.values.count)
    }
    for number in 1...2 {
      world.spawn("screen \(number)") {
        var last = 0
        for _ in 1...2 {
          let lease = await store.lease(7)
          last = lease.model.number
          let live = store.counts
          world.expect(live.inUse == 1, "in use: \(live)")
          try await world.clock.sleep(for: .milliseconds(world.choose(from: [0, 500, 1_000])))
          world.expectEqual(store.counts.inUse, 1, "in use during a lease:")
          world.expect(
            store.current(7)?.model === lease.model, "the store has another view model than the lease")
          withExtendedLifetime(lease) {}
        }
        let pause = world.choose(from: [500, 1_000, 1_500])
        try await world.clock.sleep(for: .milliseconds(pause))
        let again = await store.lease(7)
        if pause < 1_000 { world.expectEqual(again.model.number, last, "within the retention:") }
        world.expect(again.model === store.current(7)?.model, "a released view model")
      }
    }
    await world.settle()
    world.expectEqual(store.counts, ViewModelCounts(), "after the last retention:")
    world.expect(made.values.count <= 4, "made \(made.values.count)")
    world.expectEqual(world.clock.sleeperCount, 0, "sleepers left:")
  }
}

import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

/// A long session in an app: every screen that is opened is closed again and leaves nothing behind.
@Suite("ViewModelStore: soak", .timeLimit(.minutes(5)), .endsWaits)
struct NavigationSoakTests {
  @Test("a thousand visits to fifty screens leave no additional view model, timer or observer")
  func backAndForth() async throws {
    let clock = VirtualClock()
    let factory = ScreenModelFactory()
    try await LeakTracker.check { tracker in
      let store = ViewModelStore(retention: .seconds(5), clock: clock) { tracker.track(factory.make($0)) }
      let root = await store.lease(0)
      let before = (store.counts, clock.sleeperCount, root.model.observerCount)

      for round in 0..<1_000 {
        let identity = 1 + round % 50
        let screen = await store.lease(identity)
        screen.model.follow(root.model)
        // Every second visit takes a second lease. After every fifth visit, the retained view models expire.
        if round.isMultiple(of: 2) { #expect(await store.lease(identity).model === screen.model) }
        withExtendedLifetime(screen) {}
        if round.isMultiple(of: 5) {
          // Each retained view model has a timer that sleeps. So all of them expire.
          try await until { clock.sleeperCount == store.counts.retained }
          clock.advance(by: .seconds(5))
        }
      }
      try await until {
        clock.advance(by: .seconds(5))
        return store.counts.retained == 0 && clock.sleeperCount == 0
      }
      try await until { root.model.observerCount <= before.2 }

      #expect(store.counts == before.0)
      #expect(clock.sleeperCount == before.1)
      #expect(tracker.survivors.count == 1, "only the root screen's view model is left")
      #expect(factory.identities.count > 51, "some view models expired and were created again")
      withExtendedLifetime(root) {}
    }
  }
}

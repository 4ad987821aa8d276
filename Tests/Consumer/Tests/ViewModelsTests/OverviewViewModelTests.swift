import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Dispatch
import Domain
import Services
import Testing
import ViewModels

@Suite(.timeLimit(.minutes(5)))
struct OverviewViewModelTests {
  @Test("a load shows the products and orders, and the view model is released")
  func load() async throws {
    try await LeakTracker.check { tracker in
      let model = tracker.track(OverviewViewModel(shop: BridgedShop()))
      await model.load()
      #expect(model.state.snapshot.products.count == 3 && model.state.snapshot.orders.count == 1)
      #expect(model.state.nextRefresh == 3_600)
      #expect(!model.state.isLoading)
    }
  }

  @Test("two concurrent loads show one result, under every seed")
  func loads() async throws {
    try await simulate(seeds: 1...50) { world in
      let model = OverviewViewModel(shop: BridgedShop(), isolation: world.isolation)
      let tasks = (1...2).map { number in world.spawn("load \(number)") { await model.load() } }
      for task in tasks { await task.waitForEnd() }
      await world.settle()
      world.expectEqual(model.state.isLoading, false)
      world.expectEqual(model.state.snapshot.products.count, 3)
    }
  }

  @Test("without `queues: .simulated`, queues are real, even if another test target simulates queues")
  func realQueue() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...50) { _ in
        // Another task of the world runs only after the body has suspended, so the block is never faster than that.
        let isSuspended = DispatchSemaphore(value: 0)
        Task { isSuspended.signal() }
        await withCheckedContinuation { continuation in
          DispatchQueue(label: "queue").async {
            isSuspended.wait()
            continuation.resume()
          }
        }
      }
    }
    guard case .leftTheWorld("body", _) = failure.reason else {
      Issue.record("unexpected failure: \(failure)")
      return
    }
  }

  @Test("functions of the app and of the toolkit with similar names work side by side")
  func similarNames() async throws {
    let (model, other) = (OverviewViewModel(shop: BridgedShop()), OverviewViewModel(shop: BridgedShop()))
    await other.select(Product(id: 3, name: "tea"))
    for await screen in other.screens() {
      #expect(screen == .product(3))
      break
    }
    #expect(model.history(of: other).count == 2)
    #expect(try await model.preload().count == 2)
  }

  @Test("an observer sees that a load begins and ends")
  func states() async throws {
    let model = OverviewViewModel(shop: BridgedShop())
    let states = StateRecorder(model.states(.unbounded))
    await model.load()
    try await states.first { $0.isLoading }
    try await states.first { $0.snapshot.products.count == 3 }
  }

  @Test("a selected product is kept for the screen that observes later")
  func selection() async throws {
    let model = OverviewViewModel(shop: BridgedShop())
    await model.select(Product(id: 7, name: "Seven"))
    var screens = model.screens().makeAsyncIterator()
    #expect(await screens.next() == .product(7))
  }
}

import Dispatch
import Domain
import SimulatedQueues
import Synchronization
import ViewModelTesting
import ViewModels

#if canImport(Darwin)
  extension Scenario {
    /// Dispatch queues cannot be simulated here.
    static let closureStages: [Scenario] = []
  }
#else
  extension Scenario {
    /// What runs on dispatch queues.
    static let closureStages = [closureSearch] + queuedCarts + queuedSearches

    /// The contracts that the async stage has, on the queues of the other two.
    private static let queuedCarts = [Stage.closure, .stream].map { stage in
      Scenario("cart/under-contention-\(stage)-stage", cartUnderContention.summary, tasks: 4) { world in
        precondition(SimulatedQueues.isLinked)
        try await shopTogether(world) { stage.makeCart(service: $0) }
      }
    }

    private static let queuedSearches = [Stage.closure, .stream].map { stage in
      Scenario("search/called-off-\(stage)-stage", searchCalledOff.summary, tasks: 4) { world in
        precondition(SimulatedQueues.isLinked)
        try await typeAndCallOff(world) { stage.makeSearch(service: $0, clock: world.clock) }
      }
    }

    static let closureSearch = Scenario(
      "search/superseded-closure-stage",
      "the closure stage, on its own queues: an answer to an earlier query is never shown, nor anything after the end",
      tasks: 3
    ) { world in
      precondition(SimulatedQueues.isLinked)
      let shown = Mutex<[String]>([])
      let service = LateSearch(world: world)
      let model = SearchClosureViewModel<String>(
        service: service, callbackQueue: DispatchQueue(label: "callbacks"))
      let binding = model.bind { state in
        guard !state.isSearching, let hits = state.results.value else { return }
        world.expectEqual(hits, [state.query])
        shown.withLock { $0 = hits }
      }
      let typing = world.spawn("typing") {
        for query in ["s", "sw", "swift"] {
          model.setQuery(query)
          try await world.faults.latency(upTo: .milliseconds(600))
        }
      }
      let returning = world.spawn("return key", canBeLeftOut: true) {
        await Task.yield()
        model.submit()
      }
      await typing.finish()
      await returning.finish()
      await world.settle()
      world.expectEqual(shown.withLock { $0 }, ["swift"])
      binding.cancel()
    }
  }

  private struct LateSearch: SearchClosureService {
    let world: World

    /// Takes no notice of cancellation.
    func results(
      for query: String, completion: @escaping @Sendable (Result<[String], any Error>) -> Void
    ) -> CancellationToken {
      let latency = world.choose(from: [0.0, 0.2, 0.4])
      DispatchQueue.global().asyncAfter(deadline: .now() + latency) { completion(.success([query])) }
      return .ended
    }
  }
#endif

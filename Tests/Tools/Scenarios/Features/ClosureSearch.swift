import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsSimulation
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization

#if !canImport(Darwin)
  extension Scenario {
    static let closureSearch = Scenario(
      "search/superseded-closure-stage",
      "in the closure stage, an answer to an earlier query never shows, and the answer to the last query shows",
      tasks: 3
    ) { world in
      let shown = Mutex<[TextHit]>([])
      let service = LateSearch(world: world)
      let model = SearchClosureViewModel<TextHit>(
        service: service, callbackQueue: DispatchQueue(label: "callbacks"))
      let binding = model.bind { state in
        guard !state.isSearching, let hits = state.results.value else { return }
        world.expectEqual(hits, [TextHit(state.query)])
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
      await typing.waitForEnd()
      await returning.waitForEnd()
      await world.settle()
      world.expectEqual(shown.withLock { $0 }, ["swift"])
      binding.cancel()
    }
  }

  private struct LateSearch: SearchClosureService {
    let world: SimulatedWorld

    /// Ignores cancellation.
    func results(
      for query: String, page: PageRequest,
      completion: @escaping @Sendable (Result<Page<TextHit>, any Error>) -> Void
    ) -> CancellationToken {
      let latency = world.choose(from: [0.0, 0.2, 0.4])
      DispatchQueue.global().asyncAfter(deadline: .now() + latency) { completion(.success([TextHit(query)])) }
      return .finished
    }
  }
#endif

import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let searchCancelled = inEachStage(
    "search/cancelled",
    """
    a superseded or cancelled search never publishes, even if the service ignores cancellation; the last \
    search publishes unless it is cancelled
    """, tasks: 4
  ) { world, stage, tracker in
    let model = stage.makeSearch(
      service: SlowSearch(world: world), clock: world.clock, isolation: world.isolation)
    tracker.track(model.subject)
    let states = model.states()
    let observer = world.spawn("screen") {
      var latest = 0
      for await state in states {
        let shown = state.results.value?.first?.text.count ?? latest
        world.expect(shown >= latest, "an earlier answer is back: \(state.results)")
        world.expect(shown <= state.query.count, "\(state.results) before its query")
        latest = shown
      }
    }
    for query in ["a", "ab", "abc"] {
      model.setQuery(query)
      if world.flip() { model.submit() }
      if world.flip() {
        try await world.clock.sleep(for: .milliseconds(world.choose(from: [100, 300, 500])))
      }
    }
    if world.flip() {
      model.cancel()
      let kept = model.state.results.value
      world.expect(!model.state.isSearching, "searching after a cancel")
      await world.expectQuiet(model.states())
      world.expectEqual(model.state.results.value, kept, "shown after a cancel:")
    } else {
      await world.settle()
      world.expectEqual(model.state.results.value, ["abc"])
    }
    world.expect(!model.state.isSearching, "still searching")
    observer.cancel()
  }
}

/// Answers late with the query, and sometimes ignores cancellation.
struct SlowSearch: SearchService, SearchClosureService {
  let world: SimulatedWorld

  func results(for query: String, page: PageRequest) async throws -> Page<TextHit> {
    if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
    return [TextHit(query)]
  }

  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<TextHit>, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await results(for: query, page: page) }
  }
}

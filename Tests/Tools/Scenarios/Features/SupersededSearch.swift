import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let supersededSearch = Scenario(
    "search/superseded",
    "an answer to an earlier query never shows, even from a service that ignores cancellation",
    tasks: 4
  ) { world in
    let model = SearchViewModel<TextHit>(
      service: EchoSearch(world: world), pause: .milliseconds(300), clock: world.clock,
      isolation: world.isolation)
    let typing = world.spawn("typing") {
      for query in ["s", "sw", "swift"] {
        model.setQuery(query)
        if world.flip() { try await world.clock.sleep(for: .milliseconds(300)) }
        if world.flip() { await model.submit() }
      }
    }
    let watching = world.spawn("watching") {
      for await state in model.states() {
        // Earlier hits stay on screen during a search.
        guard !state.isSearching, case .loaded(let hits) = state.results else { continue }
        world.expectEqual(hits, [TextHit(state.query)])
        if state.query == "swift" { return }
      }
    }
    await typing.waitForEnd()
    await world.settle()
    world.expectEqual(model.state.results.value, ["swift"])
    await watching.waitForEnd()
  }
}

/// Answers late with the query, and ignores cancellation.
private struct EchoSearch: SearchService {
  let world: SimulatedWorld

  func results(for query: String, page: PageRequest) async throws -> Page<TextHit> {
    await world.faults.deafLatency()
    return [TextHit(query)]
  }
}

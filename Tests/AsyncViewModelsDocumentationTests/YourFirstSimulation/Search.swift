import AsyncViewModelsSimulation
import SimulatedQueues
import Testing

#if os(Linux)
  extension YourFirstSimulationTests {
    @Suite("the search", .timeLimit(.minutes(5)))
    struct SearchTests {
      @Test("the last query wins")
      func lastQuery() async throws {
        try await simulate(seeds: 1...1_000, queues: .simulated) { world in
          let search = Search { query in [query] }
          search.search("s")
          search.search("swift")
          await world.settle()
          world.expectEqual(search.shown, ["swift"])
        }
      }
    }
  }
#endif

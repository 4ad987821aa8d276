import AsyncViewModelsSimulation
import Testing

@testable import Simulation

/// Runs each scenario under a few seeds. The executable runs them under many.
@Suite("Simulation: scenarios", .timeLimit(.minutes(5)))
struct ScenarioTests {
  @Test("each scenario passes under 200 seeds", arguments: Scenario.all.map(\.name))
  func holds(name: String) async throws {
    let scenario = try #require(Scenario.all.first { $0.name == name })
    try await simulate(seeds: 1...200, queues: Scenario.queues, scenario.body)
  }

  @Test("all scenario names are different, and have the form part/what-happens")
  func names() {
    let names = Scenario.all.map(\.name)
    #expect(Set(names).count == names.count)
    let odd = names.filter { $0.split(separator: "/").count != 2 }
    #expect(odd.isEmpty)
  }
}

import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation
import Foundation
import Testing

@testable import Simulation

@Suite("Simulation: results", .timeLimit(.minutes(5)))
struct ResultTests {
  /// Runs a scenario on its own thread, because a simulation blocks its thread.
  private func result(
    of body: @escaping @Sendable (SimulatedWorld) async throws -> Void, _ arguments: [String],
    continues: @escaping @Sendable (SimulationSummary) -> Bool = { _ in true }
  ) async throws -> ScenarioResult {
    let (options, scenario) = (try Options(arguments), Scenario("test/one", "", tasks: 1, body: body))
    return await withCheckedContinuation { continuation in
      let thread = Thread {
        continuation.resume(returning: ScenarioResult(running: scenario, options, continues: continues))
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  @Test("a result counts the runs of a scenario that fails before the first report of progress, too")
  func failingRuns() async throws {
    let result = try await result(of: { $0.expect(false, "never") }, ["--seeds", "100"])
    #expect(result.failure != nil)
    #expect(result.runs > 0 && result.summary.runs == result.runs)
    #expect(result.line.hasPrefix("✗ test/one, found and reduced in "))
  }

  @Test("an interrupted scenario has neither passed nor failed")
  func interrupted() async throws {
    let result = try await result(of: { _ in }, ["--seeds", "\(UInt64.max)"]) { $0.runs == 0 }
    #expect(result.line == "– test/one: interrupted after \(result.runs.grouped) runs")
    #expect(result.isInterrupted && result.failure == nil && result.runs > 0)
    let report = Report(strategy: "mixed", isInterrupted: true, results: [result], planned: 1)
    #expect(!report.hasFailures)
    #expect(String(decoding: try report.json(), as: UTF8.self).contains("\"isInterrupted\" : true"))
  }

  @Test("a scenario that is interrupted after its last run has passed")
  func interruptedAtTheEnd() async throws {
    let result = try await result(of: { _ in }, ["--seeds", "256"]) { $0.runs < 256 }
    #expect(!result.isInterrupted && result.line.hasPrefix("✓"))
  }

  @Test("the progress shows the time left, even for all possible seeds, but not for an exhaustive run")
  func progress() {
    let seeds = SimulationProgress(scenarios: 2, seeds: 0...UInt64.max)
    #expect(seeds.line("a/b", runs: 0).hasSuffix(" s left"))
    let exhaustive = SimulationProgress(scenarios: 2, seeds: nil)
    #expect(exhaustive.line("a/b", runs: 300).hasPrefix("[1/2] a/b  "))
    #expect(!exhaustive.line("a/b", runs: 300).contains("left"))
  }
}

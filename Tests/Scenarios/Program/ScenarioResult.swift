import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation

/// The result of one scenario.
struct ScenarioResult {
  let scenario: Scenario
  let summary: SimulationSummary
  let failure: SimulationFailure?
  let duration: Duration

  init(running scenario: Scenario, _ options: Options, continues: (SimulationSummary) -> Bool) {
    self.scenario = scenario
    let start = ContinuousClock.now
    var latest = SimulationSummary()
    do throws(SimulationFailure) {
      latest = try scenario.plan(options).run {
        latest = $0
        return continues($0)
      }
      failure = nil
    } catch { failure = error }
    summary = latest
    duration = start.duration(to: .now)
  }

  var rate: Double { Double(summary.runs) / max(duration / .seconds(1), 1e-9) }

  var line: String {
    guard failure == nil else { return "✗ \(scenario.name)" }
    return """
      ✓ \(scenario.name): \(summary.runs.grouped) runs, \(summary.distinctSchedules.grouped) distinct\
      \(summary.isExhaustive ? " (all)" : ""), \(Int(rate).grouped)/s
      """
  }
}

extension Scenario {
  func plan(_ options: Options) -> SimulationPlan {
    guard options.isExhaustive else {
      return SimulationPlan(seeds: options.seeds, strategy: options.strategy, body: body)
    }
    // A scenario that reaches the limit of seeds is too large to explore exhaustively, and fails.
    let preemptions = tasks <= 2 ? Int.max : 2
    return SimulationPlan(
      seeds: 1...200_000, strategy: .exhaustive(preemptions: preemptions), body: body)
  }
}

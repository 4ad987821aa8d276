import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation
import Foundation

/// The result of one scenario.
struct ScenarioResult {
  let scenario: Scenario
  /// The statistics of the runs. A replay of a path has none.
  let summary: SimulationSummary
  let runs: Int
  let failure: SimulationFailure?
  /// Whether the user ended the scenario before its last run.
  let isInterrupted: Bool
  let duration: Duration
  /// The time on a core.
  let processorTime: Duration

  init(running scenario: Scenario, _ options: Options, continues: (SimulationSummary) -> Bool) {
    self.scenario = scenario
    let (start, startOnCore) = (ContinuousClock.now, ProcessorTime.now)
    var latest = SimulationSummary()
    var thrown: SimulationFailure?
    do throws(SimulationFailure) {
      latest = try scenario.plan(options).run(onThreads: options.threads) {
        latest = $0
        return continues($0)
      }
    } catch { thrown = error }
    if case .interrupted = thrown?.reason { isInterrupted = true } else { isInterrupted = false }
    failure = isInterrupted ? nil : thrown
    summary = latest
    runs = latest.runs
    duration = start.duration(to: .now)
    processorTime = ProcessorTime.now - startOnCore
  }

  init(replaying path: SimulationPath, _ scenario: Scenario, _ options: Options) {
    self.scenario = scenario
    isInterrupted = false
    summary = SimulationSummary()
    runs = 1
    let (start, startOnCore) = (ContinuousClock.now, ProcessorTime.now)
    do throws(SimulationFailure) {
      try scenario.plan(options).replay(path)
      failure = nil
    } catch { failure = error }
    duration = start.duration(to: .now)
    processorTime = ProcessorTime.now - startOnCore
  }

  /// The runs per second and core.
  var rate: Double { Double(runs) / max(processorTime / .seconds(1), 1e-9) }

  var line: String {
    guard failure == nil else {
      let milliseconds = Int((duration / .milliseconds(1)).rounded(.up)).grouped
      return "✗ \(scenario.name), found and reduced in \(milliseconds) ms"
    }
    guard !isInterrupted else {
      return "– \(scenario.name): interrupted after \(runs.grouped) runs"
    }
    return """
      ✓ \(scenario.name): \(runs.grouped) runs, \(summary.distinctSchedules.grouped) distinct\
      \(summary.isExhaustive ? " (all)" : ""), \(Int(rate).grouped)/s and core
      """
  }
}

extension Scenario {
  func plan(_ options: Options) -> SimulationPlan {
    guard options.isExhaustive else {
      return SimulationPlan(
        seeds: options.seeds, strategy: options.strategy, queues: Self.queues,
        interruptions: options.interruptions, body: body)
    }
    // A scenario that reaches the limit of seeds is too large to explore exhaustively, and fails.
    let preemptions = tasks <= 2 ? Int.max : 2
    return SimulationPlan(
      seeds: options.seeds, strategy: .exhaustive(preemptions: preemptions), queues: Self.queues,
      interruptions: options.interruptions, body: body)
  }
}

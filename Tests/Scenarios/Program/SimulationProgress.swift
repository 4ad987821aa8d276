import AsyncViewModelsCommandLine

/// The progress of a simulation, with its rate and the time left.
struct SimulationProgress {
  private let scenarios: Int
  private let seeds: Int
  private let start = ContinuousClock.now
  private var finishedScenarios = 0
  private var finishedRuns = 0

  init(scenarios: Int, seeds: Int) {
    self.scenarios = scenarios
    self.seeds = seeds
  }

  mutating func finish(runs: Int) {
    finishedScenarios += 1
    finishedRuns += runs
  }

  /// The progress in one line of a terminal with 80 columns.
  ///
  /// - Parameters:
  ///   - name: The scenario that runs now.
  ///   - runs: The runs of this scenario so far.
  func line(_ name: String, runs: Int) -> String {
    let rate = Double(finishedRuns + runs) / (start.duration(to: .now) / .seconds(1))
    let left = Double((scenarios - finishedScenarios) * seeds - runs) / max(rate, 1)
    let text = "[\(finishedScenarios + 1)/\(scenarios)] \(name)  \(Int(rate).grouped)/s"
    return String("\(text)  \(Int(left.rounded(.up))) s left".prefix(79))
  }
}

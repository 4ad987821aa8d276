import AsyncViewModelsCommandLine

/// The progress of a simulation, with its rate, and with the time left if the number of runs is known.
struct SimulationProgress {
  private let scenarios: Int
  /// The runs of each scenario. `nil` if the number is unknown.
  private let seeds: Double?
  private let start = ContinuousClock.now
  private var finishedScenarios = 0
  private var finishedRuns = 0

  /// - Parameter seeds: The seeds of each scenario. `nil` for an exhaustive simulation.
  init(scenarios: Int, seeds: ClosedRange<UInt64>?) {
    self.scenarios = scenarios
    // A `Double`, because the number of all possible seeds is `UInt64.max` + 1.
    self.seeds = seeds.map { Double($0.upperBound - $0.lowerBound) + 1 }
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
    let rate = Double(finishedRuns + runs) / max(start.duration(to: .now) / .seconds(1), 1e-9)
    var text = "[\(finishedScenarios + 1)/\(scenarios)] \(name)  \(Int(rate).grouped)/s"
    if let seeds {
      let left = (Double(scenarios - finishedScenarios) * seeds - Double(runs)) / max(rate, 1)
      text += "  \(Int(min(left, 1e15).rounded(.up))) s left"
    }
    return String(text.prefix(79))
  }
}

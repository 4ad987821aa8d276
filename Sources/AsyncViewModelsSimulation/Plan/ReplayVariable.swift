import Foundation

/// The environment variable that makes each simulation of a process replay one run. So a failure is
/// replayed without a change of the code: `SIMULATION_REPLAY='path:2=1' swift test --filter cart`.
enum ReplayVariable {
  static let name: StaticString = "SIMULATION_REPLAY"

  enum Value: Equatable {
    case seed(UInt64)
    case path(SimulationPath)
  }

  /// The value of the variable, or nil if it is not set or empty.
  static func value(in environment: [String: String]) throws(SimulationFailure) -> Value? {
    guard let text = environment["\(name)"], !text.isEmpty else { return nil }
    if let seed = UInt64(text) { return .seed(seed) }
    if let path = SimulationPath(text) { return .path(path) }
    throw SimulationFailure(
      reason: .unsupported("\(name) is “\(text)”, which is neither a seed nor a path such as path:2=1"),
      seed: nil, strategy: .mixed)
  }
}

extension SimulationPlan {
  /// Runs the seeds, or only what an environment variable tells to replay.
  package func run(
    in environment: [String: String], onThreads threads: Int = 1, continues: (SimulationSummary) -> Bool
  ) throws(SimulationFailure) -> SimulationSummary {
    switch try ReplayVariable.value(in: environment) {
    case nil: return try run(onThreads: threads, continues: continues)
    case .path(let path):
      try replay(path)
      return SimulationSummary(runs: 1)
    case .seed(let seed):
      if case .exhaustive = strategy {
        throw SimulationFailure(
          reason: .unsupported("the runs of an exhaustive simulation have paths and no seeds"), seed: seed,
          strategy: strategy)
      }
      var plan = self
      plan.seeds = seed...seed
      plan.survivesTraps = false
      return try plan.run(continues: continues)
    }
  }
}

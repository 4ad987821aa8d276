/// The way in which a simulation chooses the next job.
public enum SimulationStrategy: Hashable, Sendable {
  /// Chooses every ready job with the same probability.
  case random

  /// Uses random priorities that change at up to `depth - 1` random steps (probabilistic concurrency testing, PCT).
  ///
  /// This strategy is more likely than `random` to find a bug that needs `depth` events in a certain order among many
  /// tasks. The steps are independent. There are fewer changes if two steps coincide, or if a step lies after the end of
  /// the run. A depth below 1 means 1, and a depth above 401 means 401.
  case prioritized(depth: Int)

  /// Uses `.random` for odd seeds and `.prioritized(depth: 3)` for even seeds.
  case mixed

  /// Runs every interleaving with at most this many preemptions.
  ///
  /// A seed has no influence on its run: the seeds only limit the number of runs. If there are fewer seeds than
  /// interleavings, the simulation fails with ``SimulationFailure/Reason/notExhausted(runs:)``.
  case exhaustive(preemptions: Int)

  func chooser(seed: UInt64) -> any Chooser {
    switch self {
    case .random: RandomChooser(seed: seed)
    case .prioritized(let depth): PriorityChooser(seed: seed, depth: depth)
    case .mixed: seed.isMultiple(of: 2) ? PriorityChooser(seed: seed, depth: 3) : RandomChooser(seed: seed)
    case .exhaustive: PathChooser([])
    }
  }
}

extension SimulationStrategy: LosslessStringConvertible {
  /// Creates a strategy from `random`, `mixed`, `pct` (depth 3), `pct:4`, `exhaustive` (two preemptions) or
  /// `exhaustive:3`. Returns nil for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    let number = parts.count == 2 ? Int(parts[1]) : nil
    guard parts.count == 1 || (parts.count == 2 && (number ?? -1) >= 0) else { return nil }
    switch (parts[0], number) {
    case ("random", nil): self = .random
    case ("mixed", nil): self = .mixed
    case ("pct", let depth) where depth != 0: self = .prioritized(depth: depth ?? 3)
    case ("exhaustive", let preemptions): self = .exhaustive(preemptions: preemptions ?? 2)
    default: return nil
    }
  }

  public var description: String {
    switch self {
    case .random: "random"
    case .mixed: "mixed"
    case .prioritized(let depth): "pct:\(depth)"
    case .exhaustive(let preemptions): "exhaustive:\(preemptions)"
    }
  }
}

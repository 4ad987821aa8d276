/// The way in which a simulation chooses the next job.
public enum SimulationStrategy: Hashable, Sendable {
  /// Chooses every ready job with the same probability.
  case random

  /// Uses random priorities that change at up to `depth - 1` random steps (probabilistic
  /// concurrency testing, PCT).
  ///
  /// More likely than `random` to find a bug that needs `depth` events in a certain order among
  /// many tasks. The depth is limited to 1...401.
  case prioritized(depth: Int)

  /// Uses `.random` for odd seeds and `.prioritized(depth: 3)` for even seeds.
  case mixed

  /// Runs every interleaving with at most this many preemptions.
  ///
  /// The seeds only limit the number of runs. If there are fewer seeds than interleavings, the
  /// simulation fails with ``SimulationFailure/Reason/notExhausted(runs:)``. Code without an actor
  /// continues until it suspends or hops to an actor, so orders of synchronous code that shares
  /// state are missed.
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

extension SimulationStrategy: CustomStringConvertible {
  /// Creates a strategy from `random`, `mixed`, `pct` (depth 3), `pct:4`, `exhaustive` (two
  /// preemptions) or `exhaustive:3`. Returns nil for any other text.
  package init?(_ description: String) {
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

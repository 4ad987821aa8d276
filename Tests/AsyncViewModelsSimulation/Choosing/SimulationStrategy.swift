/// How a simulation chooses what runs next.
public enum SimulationStrategy: Hashable, Sendable {
  /// Each ready job is as likely as the others.
  case random

  /// Random priorities that change at `depth - 1` random moments (PCT): good at bugs that need a few events in one order among many tasks.
  case prioritised(depth: Int)

  /// Odd seeds are `.random`, even ones `.prioritised(depth: 3)`.
  case mixed

  /// Every interleaving that needs at most so many pre-emptions, one after the other. Seeds only number the runs; to come to the end
  /// before all have been tried is an error, ``SimulationFailure/Reason/notExhausted(runs:)``.
  case exhaustive(preemptions: Int)

  func chooser(seed: UInt64) -> any Chooser {
    switch self {
    case .random: RandomChooser(seed: seed)
    case .prioritised(let depth): PriorityChooser(seed: seed, depth: depth)
    case .mixed: seed.isMultiple(of: 2) ? PriorityChooser(seed: seed, depth: 3) : RandomChooser(seed: seed)
    case .exhaustive: PathChooser([])
    }
  }
}

extension SimulationStrategy: LosslessStringConvertible {
  /// `random`, `mixed`, `pct` or `pct:4`, `exhaustive` (two pre-emptions) or `exhaustive:3`.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    let number = parts.count == 2 ? Int(parts[1]) : nil
    guard parts.count == 1 || (parts.count == 2 && (number ?? -1) >= 0) else { return nil }
    switch (parts[0], number) {
    case ("random", nil): self = .random
    case ("mixed", nil): self = .mixed
    case ("pct", let depth) where depth != 0: self = .prioritised(depth: depth ?? 3)
    case ("exhaustive", let preemptions): self = .exhaustive(preemptions: preemptions ?? 2)
    default: return nil
    }
  }

  public var description: String {
    switch self {
    case .random: "random"
    case .mixed: "mixed"
    case .prioritised(let depth): "pct:\(depth)"
    case .exhaustive(let preemptions): "exhaustive:\(preemptions)"
    }
  }
}

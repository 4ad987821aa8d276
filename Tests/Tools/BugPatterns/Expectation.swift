package import AsyncViewModelsSimulation

extension BugPattern {
  /// What the simulator does with the broken program.
  package enum Expectation: Sendable {
    /// A seed fails for this kind of reason.
    case found(Kind)
    /// The simulator rejects the program, with a reason that contains this text.
    case refused(String)
    /// The simulator misses the bug: every run passes.
    case notFound(because: String)

    /// Whether a broken program behaved as expected.
    ///
    /// - Parameter reason: The reason of the failure. `nil` if all runs passed.
    package func isMet(by reason: SimulationFailure.Reason?) -> Bool {
      switch (self, reason) {
      case (.found(let kind), let reason?): Kind(reason) == kind
      case (.refused(let text), let reason?): Kind(reason) == .refusal && "\(reason)".contains(text)
      case (.notFound, nil): true
      default: false
      }
    }
  }

  /// The kind of a failure.
  package enum Kind: String, Sendable {
    case expectation = "an expectation fails"
    case deadlock
    case livelock
    case unfinished = "a task stays suspended"
    case trap = "it would end the process"
    case refusal = "refused"

    package init(_ reason: SimulationFailure.Reason) {
      self =
        switch reason {
        case .expectation, .thrown: .expectation
        case .deadlock: .deadlock
        case .livelock: .livelock
        case .unfinished: .unfinished
        case .trapped: .trap
        default: .refusal
        }
    }
  }
}

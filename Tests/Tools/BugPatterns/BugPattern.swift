package import AsyncViewModelsSimulation

/// A bug that real code had, as a small program for the simulator, with the repaired program beside it.
///
/// To add a pattern, write a static property in the file of its theme, and list it in ``all``:
///
/// - Write new code that has the bug of the thread, 10 to 40 lines. Copy no code and no sentence.
/// - The body creates everything that it needs. The only difference between the two programs is the repair.
/// - State honestly what the simulator does today: a pattern that it cannot find is `.notFound` with the reason.
/// - A program that traps has simulated queues, so that the process continues, also in a replay by the tests.
package struct BugPattern: Sendable {
  package typealias Body = @Sendable (SimulatedWorld) async throws -> Void

  /// A public thread that reports the bug.
  package struct Thread: Sendable {
    package let title: String
    package let url: String

    init(_ title: String, _ url: String) {
      self.title = title
      self.url = url
    }
  }

  /// The theme and the name, with a slash.
  package let name: String
  /// What goes wrong, in one sentence.
  package let summary: String
  package let thread: Thread
  package let expected: Expectation
  package let queues: QueueScheduling
  package let interruptions: Interruptions
  /// The longest distance between two deadlines that may come at the same time.
  package let timerTolerance: Duration
  package let broken: Body
  package let repaired: Body

  init(
    _ name: String, _ summary: String, _ thread: Thread, _ expected: Expectation = .found(.expectation),
    queues: QueueScheduling = .real, interruptions: Interruptions = .atSuspensions,
    timerTolerance: Duration = .zero, broken: @escaping Body,
    repaired: @escaping Body
  ) {
    self.name = name
    self.summary = summary
    self.thread = thread
    self.expected = expected
    self.queues = queues
    self.interruptions = interruptions
    self.timerTolerance = timerTolerance
    self.broken = broken
    self.repaired = repaired
  }

  /// All patterns, in the order of the table.
  package static let all: [BugPattern] =
    onActors + onCancellation + onContinuations + onStreams + onTasks + onTime + onClocks + inLocks
    + onAtomics
    + onQueues + waitingOnQueues + holdingAndWaiting + withTraps

  /// The patterns for a simulation with these hooks. Without hooks into the system's clocks, code that reads them
  /// sees real time, and its runs depend on the speed of the machine.
  package static func all(with hooks: RuntimeHooks) -> [BugPattern] {
    let unclear = Set(hooks.contains(.clocks) ? [] : (onClocks + [expiredEntryUsed]).map(\.name))
    return all.filter { !unclear.contains($0.name) }
  }

  /// The theme: the name up to the slash.
  package var theme: Substring { name.prefix { $0 != "/" } }

  /// What the simulator does with the broken program, with these hooks.
  package func expected(with hooks: RuntimeHooks) -> Expectation {
    let needsFunctions = queues != .real || interruptions != .atSuspensions
    return needsFunctions && !hooks.contains(.functions) ? .refused("needs Linux") : expected
  }

  #if canImport(Darwin)
    /// Code cannot be interrupted at locks, and dispatch queues cannot be simulated, on Apple platforms.
    private static let inLocks: [BugPattern] = []
    private static let onAtomics: [BugPattern] = []
    private static let onQueues: [BugPattern] = []
    private static let waitingOnQueues: [BugPattern] = []
    private static let holdingAndWaiting: [BugPattern] = []
    private static let withTraps: [BugPattern] = []
  #endif
}

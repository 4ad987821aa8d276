/// What a simulation sees of the process: the hooks into the concurrency runtime, and the functions
/// that it replaces.
///
/// Apple's runtime lacks most of them. Tests on Linux run worlds with `apple`, so that every row of
/// the page WhatASimulationControls is checked without a Mac.
package struct RuntimeHooks: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Each hop to a plain actor is a choice of the seed.
  package static let actorHops = RuntimeHooks(rawValue: 1)
  /// The jobs of `Task.yield()` and `Task.sleep` become jobs of the world.
  package static let defaultExecutor = RuntimeHooks(rawValue: 2)
  /// The main actor runs in the world.
  package static let mainActor = RuntimeHooks(rawValue: 4)
  /// The system's clocks show virtual time.
  package static let clocks = RuntimeHooks(rawValue: 8)
  /// Locks, threads and libdispatch call the simulator.
  package static let functions = RuntimeHooks(rawValue: 16)
  /// The tasks that a world starts prefer an executor of the world, which captures their
  /// `Task.yield()`.
  package static let taskExecutor = RuntimeHooks(rawValue: 32)

  package static let linux: RuntimeHooks = [.actorHops, .defaultExecutor, .mainActor, .clocks, .functions]
  package static let apple: RuntimeHooks = [.taskExecutor]

  #if canImport(Darwin)
    package static let ofThisPlatform = apple
  #else
    package static let ofThisPlatform = linux
  #endif

  /// The reason that a simulation with these parameters is refused, or nil.
  func obstacle(_ queues: QueueScheduling, _ interruptions: Interruptions) -> String? {
    guard !contains(.functions) else { return nil }
    if queues.isSimulated { return Self.needsLinux("`queues: .simulated`") }
    if interruptions.includesLocks { return Self.needsLinux("`interruptions: .atLocks`") }
    return nil
  }

  private static func needsLinux(_ parameter: String) -> String {
    "\(parameter) needs Linux. On a Mac, Scripts/simulate-in-container runs the tests on Linux"
  }

  /// What a report adds if the code may wait for something that the world does not see. Nil if the
  /// world sees the calls that a report names.
  func note(on reason: SimulationFailure.Reason) -> String? {
    switch reason {
    case .leftTheWorld, .deadlock, .unfinished: contains(.functions) ? nil : Self.note
    default: nil
    }
  }

  private static let note = """
    On Apple platforms, a simulation does not control the main actor, `Task.sleep`, `Task.yield()` in an unstructured \
    task, dispatch queues and threads. If the code waits for one of them, run the test on Linux, with \
    Scripts/simulate-in-container
    """
}

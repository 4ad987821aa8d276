/// A failed run: its reason, the path that replays it, and its timeline.
///
/// The run is reduced: the tasks and decisions that the failure does not need are removed. These
/// runs are not reduced: a replay, a run that traps, a run that a thread outside the world fails,
/// and a run in which `#expect` fails in a detached task. If a run does not fail again, the
/// description says so.
public struct SimulationFailure: Error {
  /// The reason for which a run failed.
  public enum Reason: Hashable, Sendable {
    /// An expectation of the world or of Swift Testing did not hold.
    case expectation(String, at: String)
    /// An expectation of the world did not hold on a thread outside the world.
    ///
    /// The seed does not control when such a thread runs.
    case expectationOutside(String, at: String)
    /// The body threw an error, or a spawned task threw an error other than `CancellationError`.
    case thrown(String, by: String)
    /// No job is ready and no task waits for the clock, but these tasks have not ended.
    case deadlock(waiting: [String])
    /// The run did not end within the step limit.
    case livelock(steps: Int, running: String)
    /// The body has ended and no job is left, but these tasks are still suspended.
    case unfinished([String])
    /// A thread outside the world resumed a task, or a task made a call that no world simulates. So
    /// the seed no longer controls the run. `call` names the call, or the last one that started
    /// work outside the world, if it is known.
    case leftTheWorld(String, call: String? = nil)
    /// A task or queue block blocks its thread, and the simulation cannot end this wait: for a
    /// lock, a run loop or a socket. Only with simulated queues or interruptions at locks.
    case blocked(String, seconds: Int)
    /// A task or queue block trapped, or made a call that ends a real process, such as an
    /// unbalanced `DispatchGroup.leave`.
    ///
    /// Other tests continue. The thread of the run stops where it is: what it holds stays in
    /// memory, and its locks stay locked. Swift prints the message of a trap to standard error. A
    /// replay ends the process instead, so that a debugger shows the place. If the process cannot
    /// survive, as after an access to invalid memory, it first prints the seed and the path. A trap
    /// on a real queue ends the process.
    case trapped(String, call: String)
    /// The same seed led to two different runs: the body depends on something that the seed does
    /// not control.
    case notReproducible(first: UInt64, second: UInt64)
    /// An exhaustive simulation ran out of seeds before the last interleaving.
    case notExhausted(runs: Int)
    /// The simulation was cancelled after this number of runs. None of them failed.
    case interrupted(runs: Int)
    /// This process or platform cannot run a simulation.
    case unsupported(String)
  }

  /// The reason for which the run failed.
  public let reason: Reason
  /// The seed of the first failing run, or nil if a replayed path failed.
  ///
  /// If no run failed, this is the seed of the last run. For ``Reason/unsupported(_:)``, this is
  /// the first seed.
  public let seed: UInt64?
  /// The strategy of the simulation.
  public let strategy: SimulationStrategy
  /// The path of the reduced run.
  public let path: SimulationPath
  /// The number of decisions of the first failing run that differ from the default order.
  package let originalTurns: Int
  /// The steps of the app in the reduced run, one entry for the steps of a task in a row. Long
  /// entries continue on the next line, at 98 columns.
  ///
  /// Steps that continue in code of libraries, such as the Swift runtime and the toolkit, are one
  /// line. A long timeline shows the last lines, and the choices that the failure needs.
  public let timeline: [String]
  /// All steps and events of the reduced run, one line each, with the functions of the toolkit and
  /// the tasks that were ready.
  public let fullTimeline: [String]
  /// The steps of the reduced run as an SVG image, with a column for each task and time from top to
  /// bottom.
  package let picture: String
  let body: BodyState
  /// Whether the run failed for the same reason when it was repeated.
  var isRepeated = true
  /// What the world could not see, if that may be the reason.
  var note: String?

  /// Where a failed run leaves its body.
  enum BodyState {
    /// It has returned.
    case ended
    /// It is suspended, and no other code can resume it.
    case suspended
    /// A thread outside the world may resume it.
    case uncontrolled
  }
}

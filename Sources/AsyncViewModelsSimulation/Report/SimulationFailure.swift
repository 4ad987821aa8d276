/// A failed run: its reason, the path that replays it, and its timeline.
///
/// The simulation first reduces the run: it removes the tasks and decisions that the failure does not need. If the run does not fail
/// again, the failure has the first reason and no timeline, and its description says so. The simulation does
/// not reduce a replayed run, a run that fails because of a thread outside the world, a run that traps, or a run in which an
/// expectation of Swift Testing fails in a detached task.
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
    /// A thread outside the world resumed a task, or a task made a call that no world simulates. So the seed no longer
    /// controls the run. `call` names the call, or the last one that started work outside the world, if it is known.
    case leftTheWorld(String, call: String? = nil)
    /// A task or queue block blocks its thread, and the simulation cannot end this wait: for a lock, a run loop or a
    /// socket. Only with simulated queues or interruptions at locks.
    case blocked(String, seconds: Int)
    /// A task or queue block made a call that ends a real process, such as an unbalanced `DispatchGroup.leave`, or it trapped, as `call`
    /// then says. Swift prints the message of a trap to standard error.
    case trapped(String, call: String)
    /// The same seed led to two different runs: the body depends on something that the seed does not control.
    case notReproducible(first: UInt64, second: UInt64)
    /// An exhaustive simulation ran out of seeds before the last interleaving.
    case notExhausted(runs: Int)
    /// The simulation was cancelled, or its progress handler ended it, after this number of runs. None of them failed.
    case interrupted(runs: Int)
    /// This process or platform cannot run a simulation.
    case unsupported(String)
  }

  /// The reason for which the run failed.
  public let reason: Reason
  /// The seed of the first failing run, or nil if a replayed path failed.
  ///
  /// If no run failed, this is the seed of the last run. For ``Reason/unsupported(_:)``, this is the first seed.
  public let seed: UInt64?
  /// The strategy of the simulation.
  public let strategy: SimulationStrategy
  /// The path of the reduced run.
  public let path: SimulationPath
  /// The number of decisions of the first failing run that differ from the default order.
  public let originalTurns: Int
  /// The steps and events of the reduced run, one line each. Shows at most the last 60 lines.
  public let timeline: [String]
  /// The steps of the reduced run as an SVG image, with a column for each task and time from top to bottom.
  public let picture: String
  let body: BodyState
  /// Whether the run failed for the same reason when it was repeated.
  var isRepeated = true

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

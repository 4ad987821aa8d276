/// A run that failed, how to see it again, and what happened in it.
public struct SimulationFailure: Error {
  /// What went wrong in a run.
  public enum Reason: Hashable, Sendable {
    /// An expectation of the world did not hold.
    case expectation(String, at: String)
    /// A task threw something.
    case thrown(String, by: String)
    /// Nothing is ready, nobody waits for a time, and these have not ended.
    case deadlock(waiting: [String])
    /// The run was not over after so many steps.
    case livelock(steps: Int, running: String)
    /// The body has ended, nothing else can happen, and these tasks are still suspended.
    case unfinished([String])
    /// A task was resumed by somebody who is not of the world, so that the seed does not decide any more.
    case leftTheWorld(String)
    /// The same seed led to another run: something in the world depends on what the seed does not decide.
    case notReproducible(first: UInt64, second: UInt64)
    /// An exhaustive simulation was stopped before the last interleaving.
    case notExhausted(runs: Int)
    /// This process or platform cannot run a world.
    case unsupported(String)
  }

  public let reason: Reason
  /// The run in which it happened first.
  public let seed: UInt64
  public let strategy: SimulationStrategy
  /// The run that is shown: made as small as could be.
  public let path: SimulationPath
  /// How many decisions of the first failing run differed from the usual.
  public let originalTurns: Int
  /// The steps of that run, a line for each.
  public let timeline: [String]
  /// The same as a picture (SVG): a lane for each task, time downwards.
  public let picture: String
}

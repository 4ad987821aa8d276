/// The statistics of the runs of a simulation.
public struct SimulationSummary: Hashable, Sendable {
  /// Creates a summary of no runs.
  package init() {}

  init(runs: Int) { self.runs = runs }

  /// The number of runs. Repetitions of a run do not count.
  public internal(set) var runs = 0
  /// The number of different schedules among the runs.
  public internal(set) var distinctSchedules = 0
  /// The number of runs that were repeated and compared. All were equal.
  public internal(set) var replaysCompared = 0
  /// The number of decisions in all runs.
  public internal(set) var choices = 0
  /// Whether the runs cover all interleavings within the bound of an exhaustive strategy.
  ///
  /// False if the runtime chose an order: on Apple platforms with any plain actor, elsewhere with
  /// jobs that the runtime enqueues on a plain actor, such as an `isolated deinit`.
  public internal(set) var isExhaustive = false
}

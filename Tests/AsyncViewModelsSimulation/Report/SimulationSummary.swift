/// What a simulation has gone through without a failure.
public struct SimulationSummary: Hashable, Sendable {
  /// Nothing yet.
  public init() {}

  /// How many interleavings ran, those of the comparison not counted.
  public internal(set) var runs = 0
  /// How many of them were different from all the others.
  public internal(set) var distinctSchedules = 0
  /// How many runs were done twice and compared; all were equal.
  public internal(set) var replaysCompared = 0
  /// The decisions of all runs together.
  public internal(set) var choices = 0
  /// The steps of all runs together.
  public internal(set) var steps = 0
  /// Whether these were all interleavings that the strategy's bound allows; only an exhaustive strategy knows.
  public internal(set) var isExhaustive = false
}

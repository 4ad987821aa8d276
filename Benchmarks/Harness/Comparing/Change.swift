/// The difference of one variant between two runs.
struct Change: Equatable, Sendable {
  /// The full name of the variant: "section / title / variant".
  let name: String
  /// Medians, in nanoseconds per operation.
  let before: Double
  let after: Double
  /// How much slower the machine is now: the time of the floors (``Benchmark/isFloor``), as a multiple of their time before.
  let drift: Double
  /// The part of a median by which two runs of the same code may differ.
  let noise: Double
  /// Whether the samples of both runs lie close enough together to be compared.
  let isSteady: Bool
  /// Whether the middle halves of the two runs' samples do not overlap once the drift is removed. If so, the verdict
  /// compares the runs even if they are unsteady.
  let areApart: Bool

  enum Verdict: Equatable {
    case better
    case worse
    case withinNoise
    /// One of the runs is unsteady, and their samples overlap.
    case unsteady
  }

  /// The time now as a multiple of the time before, without the drift.
  var ratio: Double { after / before / drift }

  var verdict: Verdict {
    if !isSteady, !areApart { return .unsteady }
    if ratio > 1 + noise { return .worse }
    return ratio < 1 / (1 + noise) ? .better : .withinNoise
  }
}

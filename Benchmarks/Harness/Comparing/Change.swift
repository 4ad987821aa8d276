/// The difference of one variant between two runs.
struct Change: Equatable, Sendable {
  /// The full name of the variant: "section / title / variant".
  let name: String
  /// Medians, in nanoseconds per operation.
  let before: Double
  let after: Double
  /// How much slower the machine is now: the time of the floors, as a multiple of their time before. A floor
  /// (``Benchmark/isFloor``) is a variant that shows the minimum cost of its work on this machine.
  let drift: Double
  /// The fraction of a median by which two runs of the same code may differ.
  let noise: Double
  /// Whether both runs are steady enough to be compared. See ``VariantResult/isUnsteady``.
  let isSteady: Bool
  /// Whether the middle halves of the two runs' samples do not overlap once the drift is removed. If so, the verdict
  /// compares the runs even if they are unsteady.
  let areApart: Bool

  enum Verdict: Equatable {
    case better
    case worse
    case withinNoise
    /// At least one run is unsteady, and the middle halves of the two runs' samples overlap.
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

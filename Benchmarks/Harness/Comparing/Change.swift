/// What became of one variant between two runs.
struct Change: Equatable, Sendable {
  /// In full: "section / title / variant".
  let name: String
  /// Medians, in nanoseconds per operation.
  let before: Double
  let after: Double
  /// How much of the difference is the machine's: by how many times its floors take longer than before.
  let drift: Double
  /// The part of a median by which two runs of the same code may well differ.
  let noise: Double
  /// Whether the samples of both runs lie so near together that they can be compared at all.
  let isSteady: Bool
  /// Whether the middle halves of both runs' samples, drift taken out, have nothing in common. Then even unsteady runs say something.
  let areApart: Bool

  enum Verdict: Equatable {
    case better
    case worse
    case withinNoise
    /// One of the two runs says itself that its figure is not to be trusted, and their samples lie among each other.
    case unsteady
  }

  /// How long it takes now, as a multiple of before, on a machine that did not drift.
  var ratio: Double { after / before / drift }

  var verdict: Verdict {
    if !isSteady, !areApart { return .unsteady }
    if ratio > 1 + noise { return .worse }
    return ratio < 1 / (1 + noise) ? .better : .withinNoise
  }
}

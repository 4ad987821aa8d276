extension TargetResult {
  /// The measured number with its unit, or a dash.
  var measuredText: String {
    measured.map { Quantity.figure($0, unit: unit) } ?? "–"
  }

  /// What each run measured, in order, where there were several.
  var seriesText: String? {
    series.map { runs in runs.map { Quantity.figure($0, unit: unit) }.joined(separator: " · ") }
  }

  static let repetitionNote =
    "What fell short at first was measured twice more, and the middle of the three counts."
}

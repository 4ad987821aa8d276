extension TargetResult {
  /// The measured number with its unit, or a dash.
  var measuredText: String {
    measured.map { Quantity.number($0, unit: unit) } ?? "–"
  }

  /// What each run measured, in order, if there were several.
  var seriesText: String? {
    series.map { runs in runs.map { Quantity.number($0, unit: unit) }.joined(separator: " · ") }
  }

  static let repetitionNote =
    "A target that fell short was measured twice more, and the middle of the three results counts."
}

extension TargetResult {
  /// The measured number with its unit, or a dash.
  var measuredText: String {
    measured.map { Quantity.number($0, unit: unit) } ?? "–"
  }

  /// All measured numbers, in order, if the run measured the target several times.
  var seriesText: String? {
    series.map { runs in runs.map { Quantity.number($0, unit: unit) }.joined(separator: " · ") }
  }

  static let repetitionNote =
    "A target that fell short was measured twice more, and the middle of the three results counts."
}

extension Contrast {
  var subjectText: String { text(subject) }
  var otherText: String { text(other) }

  private func text(_ figure: Double) -> String {
    unit == "ns" ? Quantity.time(nanoseconds: figure) : Quantity.number(figure, unit: unit)
  }
}

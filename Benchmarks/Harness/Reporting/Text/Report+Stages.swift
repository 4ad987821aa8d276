extension Report {
  /// The variants of a feature's group, in the order of a migration.
  static let stages = ["closure stage", "stream stage", "async stage"]

  /// The medians of each feature's three stages, side by side; empty if the run measured no feature.
  var stageLines: [String] {
    let features = groups.filter { $0.reference == Self.stages[0] && !$0.measurements.isEmpty }
    guard !features.isEmpty else { return [] }
    let table = TextTable(
      header: ["median"] + Self.stages + ["closure : async"],
      rows: features.map { feature in
        ["\(feature.section): \(feature.title)"] + Self.stages.map { Self.median(of: $0, in: feature) }
          + [Self.gain(in: feature)]
      })
    return ["", "THE STAGES SIDE BY SIDE", ""] + table.lines()
  }

  private static func median(of stage: String, in feature: GroupResult) -> String {
    feature.measurements.first { $0.variant == stage }
      .map { $0.mark + Quantity.time(nanoseconds: $0.time.median) } ?? "–"
  }

  private static func gain(in feature: GroupResult) -> String {
    feature.measurements.first { $0.variant == stages[2] }
      .flatMap { feature.ratio(of: $0) }
      .map { "\(Quantity.digits(1 / $0)) : 1" } ?? "–"
  }
}

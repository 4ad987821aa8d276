import ViewModelTesting

extension Report {
  /// The features' medians with their three stages side by side, as lines; none where no feature was measured.
  var stageLines: [String] {
    let features = groups.filter { $0.reference == Stage.closure.variant && !$0.measurements.isEmpty }
    guard !features.isEmpty else { return [] }
    let table = TextTable(
      header: ["median"] + Stage.allCases.map(\.variant) + ["closure : async"],
      rows: features.map { feature in
        ["\(feature.section): \(feature.title)"] + Stage.allCases.map { Self.median(of: $0, in: feature) }
          + [Self.gain(in: feature)]
      })
    return ["", "THE STAGES SIDE BY SIDE", ""] + table.lines()
  }

  private static func median(of stage: Stage, in feature: GroupResult) -> String {
    feature.measurements.first { $0.variant == stage.variant }
      .map { (($0.isUnsteady ? "! " : "") + Quantity.time(nanoseconds: $0.time.median)) } ?? "–"
  }

  private static func gain(in feature: GroupResult) -> String {
    feature.measurements.first { $0.variant == Stage.async.variant }
      .flatMap { feature.ratio(of: $0) }
      .map { "\(Quantity.digits(1 / $0)) : 1" } ?? "–"
  }
}

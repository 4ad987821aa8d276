/// A chart of the features. Each has a bar for each stage, as long as the stage's time relative to that of the closure stage.
struct StagesChart {
  private let features: [GroupResult]

  private static let (labels, plot, width, top) = (370.0, 810.0, 1_000.0, 34.0)
  private static let (bar, row) = (9.0, 46.0)
  private static let colors = ["s7", "s1", "s0"]

  /// Returns `nil` without a feature that has measured its closure stage.
  init?(_ groups: [GroupResult]) {
    features = groups.filter { group in group.measurements.contains { $0.variant == Report.stages[0] } }
    if features.isEmpty { return nil }
  }

  static let note =
    "What each stage of a migration takes for the same work, as a multiple of the closure stage. Shorter is faster."

  var drawing: SVG {
    let ratios = features.map { feature in
      Report.stages.map { stage in
        feature.measurements.first { $0.variant == stage }.flatMap(feature.ratio)
      }
    }
    let longest = ratios.joined().compactMap(\.self).max() ?? 1
    let axis = Axis(
      isLogarithmic: false, lower: 0, upper: max(longest, 1) * 1.05, start: Self.labels, end: Self.plot)
    let bottom = Self.top + Double(features.count) * Self.row
    var chart = SVG(
      width: Self.width, height: bottom + 26,
      label: "the time of each feature's stages, relative to the closure stage")
    for (index, stage) in Report.stages.enumerated() {
      let x = Self.labels + Double(index) * 140
      chart.circle(x + 5, 12, 5, "dot \(Self.colors[index])")
      chart.text(stage, x + 16, 16, "label")
    }
    for tick in axis.ticks {
      let x = axis.position(of: tick)
      chart.line(x, Self.top - 4, x, bottom, "grid")
      chart.text(Quantity.number(tick, unit: "×"), x, bottom + 16, "tick", anchor: .middle)
    }
    for (index, feature) in features.enumerated() {
      draw(feature, ratios[index], at: Self.top + Double(index) * Self.row, axis, on: &chart)
    }
    let one = axis.position(of: 1)
    chart.line(one, Self.top - 4, one, bottom, "floor-line")
    return chart
  }

  private func draw(
    _ feature: GroupResult, _ ratios: [Double?], at y: Double, _ axis: Axis, on chart: inout SVG
  ) {
    chart.text(feature.section, Self.labels - 10, y + 16, "label", anchor: .end)
    chart.text(feature.title, Self.labels - 10, y + 31, "tick", anchor: .end)
    for (stage, ratio) in ratios.enumerated() {
      guard let ratio, let result = feature.measurements.first(where: { $0.variant == Report.stages[stage] })
      else { continue }
      let (top, time) = (
        y + 4 + Double(stage) * (Self.bar + 2), Quantity.time(nanoseconds: result.time.median)
      )
      chart.rectangle(
        axis.start, top, axis.position(of: ratio) - axis.start, Self.bar, "dot \(Self.colors[stage])",
        title: "\(feature.section), \(result.variant): \(time), \(Quantity.number(ratio, unit: "×"))")
    }
    if let ratio = ratios.last ?? nil {
      chart.text("async: \(Quantity.comparison(ratio: ratio))", Self.plot + 14, y + 22, "value")
    }
  }
}

/// A chart of the variants of a group. Each variant has a bar from zero to its median, or a dot at its median if the scale is
/// logarithmic. The distribution of its samples is below.
struct GroupChart {
  let group: GroupResult

  private static let labels = 330.0
  private static let plot = 800.0
  private static let width = 1_000.0
  private static let row = 40.0
  private static let top = 18.0

  var text: String {
    let measurements = group.measurements
    // A long tail would compress everything else, so the chart cuts the tail off and marks the cut.
    let ends = measurements.map { min($0.time.p99, $0.time.median * 4) }
    let axis = Axis.fitting(
      measurements.flatMap { [$0.time.median, $0.time.minimum] } + ends, start: Self.labels, end: Self.plot)
    let bottom = Self.top + Double(measurements.count) * Self.row
    var chart = SVG(width: Self.width, height: bottom + 26, label: "\(group.title), time per \(group.unit)")
    for tick in axis.ticks {
      let x = axis.position(of: tick)
      chart.line(x, Self.top - 4, x, bottom, "grid")
      chart.text(Quantity.tick(nanoseconds: tick), x, bottom + 16, "tick", anchor: .middle)
    }
    if axis.isLogarithmic { chart.text("log scale", Self.labels - 10, bottom + 16, "tick", anchor: .end) }
    for (index, measurement) in measurements.enumerated() {
      draw(measurement, at: Self.top + Double(index) * Self.row, axis, on: &chart)
    }
    if let floor = measurements.first(where: \.isFloor) {
      let x = axis.position(of: floor.time.median)
      chart.line(x, Self.top - 4, x, bottom, "floor-line")
      chart.text("floor", x, Self.top - 8, "tick", anchor: .middle)
    }
    return chart.text
  }

  private func draw(_ measurement: VariantResult, at y: Double, _ axis: Axis, on chart: inout SVG) {
    let time = measurement.time
    func x(_ value: Double) -> Double { axis.position(of: value) }
    let role =
      measurement.isFloor
      ? "is-floor" : measurement.variant == group.reference ? "is-reference" : "is-variant"
    let summary = """
      \(measurement.variant): median \(Quantity.time(nanoseconds: time.median)), \
      p90 \(Quantity.time(nanoseconds: time.p90)), p99 \(Quantity.time(nanoseconds: time.p99)), \
      least \(Quantity.time(nanoseconds: time.minimum)), \(Quantity.count(time.count, "sample"))
      """
    chart.text(measurement.variant, Self.labels - 10, y + 18, "label", anchor: .end)
    chart.mark(time.median, on: axis, y + 13, "bar \(role)", title: summary)

    let middle = y + 27.0
    chart.line(x(time.minimum), middle, x(time.p99), middle, "whisker")
    chart.rectangle(
      x(time.quantiles[1]), middle - 2, x(time.quantiles[19]) - x(time.quantiles[1]), 4, "most", radius: 1)
    chart.rectangle(
      x(time.quantiles[5]), middle - 3, x(time.quantiles[15]) - x(time.quantiles[5]), 6, "half", radius: 1)
    chart.line(x(time.median), middle - 5, x(time.median), middle + 5, "median")
    if time.p99 > axis.upper { chart.text("▸", Self.plot + 1, middle + 4, "tick") }

    chart.text(
      measurement.mark + Quantity.time(nanoseconds: time.median), Self.plot + 14, y + 18,
      "value")
    chart.text(comparison(of: measurement), Self.plot + 90, y + 18, "tick")
  }

  private func comparison(of measurement: VariantResult) -> String {
    if measurement.variant == group.reference { return "reference" }
    return group.ratio(of: measurement).map(Quantity.comparison) ?? ""
  }
}

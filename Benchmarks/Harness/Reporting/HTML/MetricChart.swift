/// A chart of one metric, for all variants that count it.
struct MetricChart {
  let name: String
  let groups: [GroupResult]

  private static let (labels, plot, top) = (430.0, 830.0, 8.0)

  var text: String {
    let rows = groups.flatMap { group in
      group.measurements.compactMap { measurement in
        measurement.metrics.first { $0.name == name }.map { (group: group, variant: measurement, metric: $0) }
      }
    }
    let axis = Axis.fitting(rows.map(\.metric.statistics.median), start: Self.labels, end: Self.plot)
    let severalGroups = Set(rows.map(\.group.title)).count > 1
    let height = severalGroups ? 38.0 : 28
    let bottom = Self.top + Double(rows.count) * height
    var chart = SVG(width: 1_000, height: bottom + 26, label: name)
    for tick in axis.ticks {
      let x = axis.position(of: tick)
      chart.line(x, Self.top, x, bottom, "grid")
      chart.text(Quantity.number(tick, unit: ""), x, bottom + 16, "tick", anchor: .middle)
    }
    if axis.isLogarithmic { chart.text("log scale", Self.labels - 10, bottom + 16, "tick", anchor: .end) }
    for (index, row) in rows.enumerated() {
      let y = Self.top + Double(index) * height
      let value = row.metric.statistics.median
      let label = "\(row.variant.variant), \(row.group.title)"
      chart.text(row.variant.variant, Self.labels - 10, y + 18, "label", anchor: .end)
      if severalGroups { chart.text(row.group.title, Self.labels - 10, y + 32, "tick", anchor: .end) }
      chart.mark(value, on: axis, y + 13, "bar is-variant", title: label)
      chart.text(Quantity.number(value, unit: row.metric.unit), Self.plot + 14, y + 18, "value")
    }
    return chart.text
  }
}

import AsyncViewModelsCommandLine

/// A chart of the cost per operation as the work grows, with a line for each variant. Both scales are logarithmic, and
/// a horizontal line means a constant cost.
struct CurveChart {
  let curve: String
  /// The points, the smallest first.
  let groups: [GroupResult]

  private static let (left, right, top) = (76.0, 660.0, 30.0)
  /// The height of a label: a name, and how much the cost grows.
  private static let label = 36.0
  /// The number of colors in the style sheet.
  private static let colors = 10

  /// The lower end of the vertical axis: at least as far down as the labels need.
  private var bottom: Double { max(300, Self.top + Double(variants.count - 1) * Self.label + 12) }

  init?(_ curve: String, of groups: [GroupResult]) {
    self.curve = curve
    self.groups = groups.filter { $0.point?.curve == curve }
      .sorted { ($0.point?.x ?? 0) < ($1.point?.x ?? 0) }
    guard self.groups.count > 1, self.groups.contains(where: { !$0.measurements.isEmpty }) else { return nil }
  }

  /// The explanation of the curve, from the first point that has one.
  var note: String? { groups.lazy.compactMap { $0.point?.note }.first }

  var drawing: SVG {
    let xs = groups.compactMap { $0.point.map { Double($0.x) } }
    let costs = groups.flatMap { $0.measurements.map(\.time.median) }.filter { $0 > 0 }
    let across = Axis.logarithmic(
      max(xs.min() ?? 1, 0.5), max(xs.max() ?? 2, 2), start: Self.left + 8, end: Self.right - 8)
    let up = Axis.logarithmic(
      (costs.min() ?? 1) * 0.6, (costs.max() ?? 2) * 1.6, start: bottom, end: Self.top)
    let axisName = groups[0].point?.axis ?? ""
    var chart = SVG(
      width: 1_000, height: bottom + 44, label: "\(curve), time per operation over \(axisName)")
    for tick in up.ticks {
      let y = up.position(of: tick)
      chart.line(Self.left, y, Self.right, y, "grid")
      chart.text(Quantity.tick(nanoseconds: tick), Self.left - 8, y + 4, "tick", anchor: .end)
    }
    for x in xs {
      chart.line(across.position(of: x), Self.top, across.position(of: x), bottom, "grid")
      chart.text(
        Int(x).grouped, across.position(of: x), bottom + 17, "tick", anchor: .middle)
    }
    chart.text("time per \(groups[0].unit)", Self.left, Self.top - 14, "tick")
    chart.text(axisName, (Self.left + Self.right) / 2, bottom + 36, "tick", anchor: .middle)

    var ends: [End] = []
    for (index, variant) in variants.enumerated() {
      let points = points(of: variant)
      let drawn = points.map { (x: across.position(of: $0.x), y: up.position(of: $0.cost)) }
      chart.path(drawn, "curve s\(index % Self.colors)")
      for (point, place) in zip(points, drawn) {
        chart.circle(
          place.x, place.y, 4, "dot s\(index % Self.colors)",
          title: "\(variant), \(axisName): \(Int(point.x).grouped), \(Quantity.time(nanoseconds: point.cost))"
        )
      }
      if let last = drawn.last {
        ends.append(
          End(y: last.y, name: variant, growth: Self.growth(of: points.map(\.cost)), series: index))
      }
    }
    for end in apart(ends) {
      chart.circle(Self.right + 14, end.y, 4, "dot s\(end.series % Self.colors)")
      chart.text(end.name, Self.right + 24, end.y + 4, "label")
      chart.text(end.growth, Self.right + 24, end.y + 19, "tick")
    }
    return chart
  }

  private var variants: [String] { groups.flatMap(\.measurements).map(\.variant).uniqued() }

  private func points(of variant: String) -> [(x: Double, cost: Double)] {
    groups.compactMap { group in
      guard let x = group.point?.x, let match = group.measurements.first(where: { $0.variant == variant })
      else { return nil }
      return (Double(x), match.time.median)
    }
  }

  /// The label at the right end of a line.
  private struct End {
    var y: Double
    let name: String
    let growth: String
    let series: Int
  }

  private static func growth(of costs: [Double]) -> String {
    guard costs.count > 1, let first = costs.first, first > 0, let worst = costs.max() else { return "" }
    return worst > first ? "at worst \(Quantity.digits(worst / first))× the first" : "never above the first"
  }

  /// Moves labels down until none covers another, and then up until the last one is inside the chart.
  private func apart(_ ends: [End]) -> [End] {
    var placed: [End] = []
    for end in ends.sorted(by: { $0.y < $1.y }) {
      var end = end
      end.y = max(end.y, (placed.last?.y ?? -.infinity) + Self.label)
      placed.append(end)
    }
    var limit = bottom - 12
    for index in placed.indices.reversed() {
      placed[index].y = min(placed[index].y, limit)
      limit = placed[index].y - Self.label
    }
    return placed
  }
}

/// A gauge of a measured number. The scale goes from a tenth of the target's bound to ten times the bound, with the
/// bound in the middle. The sides that hold and break the promise have different colors. Small dots show repeated runs.
struct TargetGauge {
  let target: TargetResult

  private static let (width, height) = (220.0, 22.0)

  var text: String {
    let (limit, isGoodBelow) =
      switch target.bound {
      case .atMost(let limit): (limit, true)
      case .atLeast(let limit): (limit, false)
      }
    var gauge = SVG(
      width: Self.width, height: Self.height, label: "\(target.measuredText), \(target.promise)")
    let middle = Self.width / 2
    gauge.rectangle(isGoodBelow ? 4 : middle, 7, middle - 4, 8, "kept", radius: 4)
    gauge.rectangle(isGoodBelow ? middle : 4, 7, middle - 4, 8, "broken", radius: 4)
    gauge.line(middle, 3, middle, 19, "median")
    if let measured = target.measured, limit > 0 {
      let axis = Axis.logarithmic(limit / 10, limit * 10, start: 8, end: Self.width - 8)
      for run in target.series ?? [] { gauge.circle(axis.position(of: run), 11, 2.5, "run") }
      gauge.circle(
        axis.position(of: measured), 11, 5, target.style, title: target.measuredText)
    }
    return gauge.text
  }
}

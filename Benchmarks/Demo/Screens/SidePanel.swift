import AsyncViewModelsCommandLine
import StorefrontTesting

/// What the panel beside the screen shows: counts that the demo has measured.
struct SidePanel: Equatable {
  struct Stage: Equatable {
    var stage: MigrationStage
    var counts: LiveMeter.Counts
  }

  var current: Stage
  /// The stage before the last switch, whose counts go to zero.
  var earlier: Stage?
  var requestCount = 0
  var feedCount = 0
  var fault = DemoFault.none
  /// What has happened, the newest last.
  var log: [String] = []

  /// The width of the panel on a terminal with this number of columns.
  static func width(of columns: Int) -> Int { min(60, max(26, columns * 3 / 10)) }

  func lines(_ statistics: FrameStatistics, size: TerminalSize) -> [TextLine] {
    let lines =
      liveLines(size.columns) + [TextLine()] + serverLines(size.columns) + [TextLine()]
      + frameLines(statistics, size.columns)
    let room = size.rows - lines.count - 2
    guard room > 0, !log.isEmpty else { return lines }
    return lines + [TextLine(), TextLine("EVENTS", .bold)]
      + log.suffix(room).map { text in
        var line = TextLine()
        line.append(text, width: size.columns, .left, .dim)
        return line
      }
  }

  private static let numberWidth = 8

  private func liveLines(_ columns: Int) -> [TextLine] {
    var header = TextLine("ALIVE", .bold)
    header.fit(columns - 2 * Self.numberWidth)
    header.append(current.stage.rawValue, width: Self.numberWidth, .right, .bold)
    header.append(earlier?.stage.rawValue ?? "", width: Self.numberWidth, .right, .dim)
    let rows: [(String, KeyPath<LiveMeter.Counts, Int>)] = [
      ("view models", \.viewModels), ("streams", \.streams), ("observers", \.observers), ("tasks", \.tasks),
    ]
    return [header] + rows.map { label, path in liveLine(label, path, columns) } + [releaseLine]
  }

  private var releaseLine: TextLine {
    guard let earlier else { return TextLine() }
    return earlier.counts.isZero
      ? TextLine("✓ \(earlier.stage) is released", .good) : TextLine("◌ \(earlier.stage) is ending", .warning)
  }

  private func liveLine(
    _ label: String, _ path: KeyPath<LiveMeter.Counts, Int>, _ columns: Int
  ) -> TextLine {
    let count = current.counts[keyPath: path]
    let labelWidth = min(12, columns - 2 * Self.numberWidth)
    let barWidth = columns - labelWidth - 2 * Self.numberWidth
    var line = TextLine()
    // The label may use the space on the left of a short number.
    line.append(label, width: labelWidth + (barWidth > 0 ? 0 : 1), .left)
    line.append(String(repeating: "▪", count: min(count, max(0, barWidth))), width: barWidth, .left, .accent)
    line.append(
      "\(count)", width: Self.numberWidth - (barWidth > 0 ? 0 : 1), .right, count == 0 ? .dim : .bold)
    guard let earlier = earlier?.counts[keyPath: path] else { return line }
    line.append("\(earlier)", width: Self.numberWidth, .right, earlier == 0 ? .good : .warning)
    return line
  }

  private func serverLines(_ columns: Int) -> [TextLine] {
    [
      TextLine("SERVER", .bold), Self.row("requests", requestCount.grouped, columns),
      Self.row("open feeds", "\(feedCount)", columns),
      Self.row("fault", fault.rawValue, columns, fault == .none ? .good : .bad),
    ]
  }

  private func frameLines(_ statistics: FrameStatistics, _ columns: Int) -> [TextLine] {
    [
      TextLine("FRAMES", .bold), Self.row("shown", statistics.shownCount.grouped, columns),
      Self.row("late", statistics.lateCount.grouped, columns, statistics.lateCount == 0 ? .good : .warning),
      Self.row("worst delay", statistics.worstDelay.milliseconds, columns),
      Self.row("last", statistics.recentTimes.last?.milliseconds ?? "–", columns),
      Self.chart(statistics.recentTimes.suffix(columns)),
    ]
  }

  /// One bar for each time. A full bar is the time of a whole tick, and a late frame is red.
  private static func chart(_ times: ArraySlice<Duration>) -> TextLine {
    let bars = Array("▁▂▃▄▅▆▇█")
    var line = TextLine()
    for time in times {
      let level = Int(time / FrameStatistics.interval * Double(bars.count))
      let isLate = time > FrameStatistics.interval
      line.append(isLate ? "█" : String(bars[max(0, min(level, bars.count - 1))]), isLate ? .bad : .good)
    }
    return line
  }

  private static func row(
    _ label: String, _ value: String, _ columns: Int, _ style: TextStyle = .plain
  ) -> TextLine {
    var line = TextLine()
    line.append(label, width: 12)
    line.append(value, width: columns - 12, .right, style)
    return line
  }
}

extension Duration {
  /// The duration with one decimal: "12.3 ms".
  fileprivate var milliseconds: String {
    let tenths = Int((self / .microseconds(100)).rounded())
    return "\((tenths / 10).grouped).\(tenths % 10) ms"
  }
}

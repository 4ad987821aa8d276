import AsyncViewModelsCommandLine
import StorefrontTesting

/// What the panel beside the screen shows: counts that the demo has measured.
struct SidePanel: Equatable {
  struct Stage: Equatable {
    var stage: MigrationStage
    var counts: LiveMeter.Counts
    var draws = SearchDraws()
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

  func lines(_ statistics: FrameStatistics, _ earlier: FrameStatistics?, size: TerminalSize) -> [TextLine] {
    var lines = liveLines(size.columns) + [TextLine()] + searchLines(size.columns)
    lines += frameLines(statistics, earlier, size.columns)
    let server = [TextLine()] + serverLines(size.columns)
    if lines.count + server.count < size.rows {
      lines.append(Self.chart(statistics.recentTimes.suffix(size.columns)))
    }
    lines += server
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
    let (count, earlier) = (current.counts[keyPath: path], earlier?.counts[keyPath: path])
    return Self.line(
      label, bar: count, ("\(count)", count == 0 ? .dim : .bold),
      earlier.map { ("\($0)", $0 == 0 ? .good : .warning) }, columns)
  }

  private func searchLines(_ columns: Int) -> [TextLine] {
    func line(
      _ label: String, _ path: KeyPath<SearchDraws, Int>, _ style: (Int) -> TextStyle
    ) -> TextLine {
      func cell(_ draws: SearchDraws) -> (String, TextStyle) {
        let count = draws[keyPath: path]
        return (count.grouped, style(count))
      }
      return Self.line(label, cell(current.draws), (earlier?.draws).map(cell), columns)
    }
    return [
      TextLine("SEARCH, STATES DRAWN", .bold), line("1st screen", \.first) { _ in .plain },
      line("2nd screen", \.second) { _ in .plain },
      // A screen that waits for a state receives the next one at once, also if newer ones follow.
      line("old text", \.old) { $0 == 0 ? .good : $0 <= 2 ? .warning : .bad },
    ]
  }

  private func frameLines(
    _ statistics: FrameStatistics, _ earlier: FrameStatistics?, _ columns: Int
  ) -> [TextLine] {
    func line(_ label: String, _ cell: (FrameStatistics) -> (String, TextStyle)) -> TextLine {
      Self.line(label, cell(statistics), earlier.map(cell), columns)
    }
    return [
      line("late frames") { ($0.lateCount.grouped, $0.lateCount == 0 ? .good : .warning) },
      line("worst delay") {
        ($0.worstDelay.short, $0.worstDelay < .milliseconds(500) ? .plain : .bad)
      },
    ]
  }

  /// A row of the current stage and of the stage before it.
  private static func line(
    _ label: String, bar: Int = 0, _ current: (text: String, style: TextStyle),
    _ earlier: (text: String, style: TextStyle)?, _ columns: Int
  ) -> TextLine {
    let labelWidth = min(12, columns - 2 * numberWidth)
    let barWidth = columns - labelWidth - 2 * numberWidth
    var line = TextLine()
    // The label may use the space on the left of a short number.
    line.append(label, width: labelWidth + (barWidth > 0 ? 0 : 1), .left)
    line.append(String(repeating: "▪", count: min(bar, max(0, barWidth))), width: barWidth, .left, .accent)
    line.append(current.text, width: numberWidth - (barWidth > 0 ? 0 : 1), .right, current.style)
    if let earlier { line.append(earlier.text, width: numberWidth, .right, earlier.style) }
    return line
  }

  private func serverLines(_ columns: Int) -> [TextLine] {
    [
      TextLine("SERVER", .bold), Self.row("requests", requestCount.grouped, columns),
      Self.row("open feeds", "\(feedCount)", columns),
      Self.row("fault", fault.rawValue, columns, fault == .none ? .good : .bad),
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
  /// The duration in milliseconds or seconds: "166 ms", "3.2 s".
  fileprivate var short: String {
    let milliseconds = Int((self / .milliseconds(1)).rounded())
    guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }
}

import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Everything that one frame shows. ``grid`` is a pure function of it.
struct DemoFrame {
  var size: TerminalSize
  var tab: Screen
  var screen: Screen
  var lines: [TextLine]
  var cartCount = 0
  var panel: SidePanel
  var statistics = FrameStatistics()
  /// The frames of the stage before the last switch.
  var earlierStatistics: FrameStatistics?
  /// The alert in front of the screen.
  var alert: Prompt<Int>?
  var notice: Notice?

  private static let headerRows = 3
  private static let footerRows = 3

  /// The keys of every screen.
  static let commonKeys: KeyValuePairs = [
    "Tab": "screen", "^S": "stage", "^F": "fault", "^R": "reload", "^P": "price", "^C": "quit",
  ]

  /// The room of a screen between the header, the footer and the panel.
  static func contentSize(_ size: TerminalSize) -> TerminalSize {
    TerminalSize(
      columns: max(0, size.columns - SidePanel.width(of: size.columns) - 4),
      rows: max(0, size.rows - headerRows - footerRows))
  }

  var grid: ScreenGrid {
    var grid = ScreenGrid(size)
    guard size.isLargeEnough else {
      drawTooSmall(&grid)
      return grid
    }
    let (content, panelWidth) = (Self.contentSize(size), SidePanel.width(of: size.columns))
    let divider = content.columns + 2
    drawHeader(&grid, divider: divider)
    drawFooter(&grid, divider: divider)
    let panel = panel.lines(
      statistics, earlierStatistics, size: TerminalSize(columns: panelWidth, rows: content.rows))
    for (row, line) in lines.prefix(content.rows).enumerated() {
      grid.draw(line, row: Self.headerRows + row, column: 1, width: content.columns)
    }
    for row in 0..<content.rows {
      grid.draw(TextLine("│", .dim), row: Self.headerRows + row, column: divider, width: 1)
    }
    for (row, line) in panel.prefix(content.rows).enumerated() {
      grid.draw(line, row: Self.headerRows + row, column: divider + 2, width: panelWidth)
    }
    drawMessages(&grid, width: content.columns)
    return grid
  }

  private func drawHeader(_ grid: inout ScreenGrid, divider: Int) {
    var title = TextLine(" AsyncViewModels ", .bold)
    title.append(" \(panel.current.stage.rawValue) stage: \(panel.current.stage.summary)")
    title.fit(size.columns)
    title.reverse()
    grid.draw(title, row: 0, width: size.columns)
    var tabs = TextLine()
    for screen in Screen.tabs {
      let count = screen == .cart ? cartCount : 0
      var title = TextLine(" \(screen.rawValue) ", .accent)
      title.append(
        screen.content.title + (count > 0 ? " (\(count))" : "") + " ", screen == tab ? .bold : .plain)
      if screen == tab { title.reverse() }
      tabs.append(title)
    }
    grid.draw(tabs, row: 1, width: size.columns)
    drawRule(&grid, row: 2, crossing: "┬", at: divider)
  }

  private func drawFooter(_ grid: inout ScreenGrid, divider: Int) {
    drawRule(&grid, row: size.rows - 3, crossing: "┴", at: divider)
    grid.draw(Self.line(of: screen.content.keys), row: size.rows - 2, width: size.columns)
    grid.draw(Self.line(of: Self.commonKeys), row: size.rows - 1, width: size.columns)
  }

  private func drawRule(_ grid: inout ScreenGrid, row: Int, crossing: String, at column: Int) {
    grid.draw(ContentLines.rule(size.columns), row: row, width: size.columns)
    grid.draw(TextLine(crossing, .dim), row: row, column: column, width: 1)
  }

  /// Draws the alert over the first rows of the screen, and the notice over the last ones.
  private func drawMessages(_ grid: inout ScreenGrid, width: Int) {
    let alertLines = alert.map { $0.lines(columns: width) + [ContentLines.rule(width)] } ?? []
    for (row, line) in alertLines.enumerated() {
      grid.draw(line, row: Self.headerRows + row, column: 1, width: width)
    }
    let lines = notice?.lines(columns: width) ?? []
    for (index, line) in lines.enumerated() {
      let row = size.rows - Self.footerRows - lines.count + index
      grid.draw(line, row: row, column: 1, width: width)
    }
  }

  private func drawTooSmall(_ grid: inout ScreenGrid) {
    let text = "The terminal is \(size). The demo needs \(TerminalSize.smallest). ^C quits."
    for (row, line) in TextLine.wrapped(text, width: size.columns, .warning).enumerated() {
      grid.draw(line, row: row, width: size.columns)
    }
  }

  static func line(of keys: KeyValuePairs<String, String>) -> TextLine {
    var line = TextLine(" ")
    for (key, use) in keys {
      line.append(key, .accent)
      line.append(" \(use)   ")
    }
    return line
  }
}

extension DemoRecording {
  private static let cellWidth = 8.4
  private static let rowHeight = 18
  private static let padding = 12

  /// The recording as an SVG image, which is animated with CSS.
  ///
  /// A row that stays the same over several frames is in the image once. Without animation, for
  /// example for a reader who prefers reduced motion, the image shows the frame that the script
  /// holds first.
  var svg: String {
    guard !frames.isEmpty else { return "" }
    let size = TerminalSize(
      columns: frames.map(\.grid.size.columns).max() ?? 0, rows: frames.map(\.grid.size.rows).max() ?? 0)
    let width = Self.coordinate(Double(size.columns) * Self.cellWidth + Double(2 * Self.padding))
    let height = size.rows * Self.rowHeight + 2 * Self.padding
    var spans: Set<Span> = []
    var rows: [String] = []
    for row in 0..<size.rows {
      for (span, cells) in self.spans(row: row) {
        let content = Self.content(of: cells)
        guard !content.isEmpty else { continue }
        let isStatic = span == Span(start: 0, end: frames.count)
        if !isStatic { spans.insert(span) }
        let isPoster = (span.start..<span.end).contains(posterIndex)
        let classes = isStatic ? "" : " class=\"\(span.name)\(isPoster ? "" : " h")\""
        let y = Self.padding + row * Self.rowHeight
        rows.append("<g transform=\"translate(\(Self.padding),\(y))\"\(classes)>\(content)</g>")
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      role="img" aria-label="A storefront in a terminal">
      <style>
      \(Self.style)
      \(spans.sorted { ($0.start, $0.end) < ($1.start, $1.end) }.map(rule).joined(separator: "\n"))
      @media (prefers-reduced-motion:reduce){g{animation:none!important}}
      </style>
      <rect width="100%" height="100%" rx="8" fill="#0d1117"/>
      \(rows.joined(separator: "\n"))
      </svg>

      """
  }

  /// A range of frames.
  private struct Span: Hashable {
    let start: Int
    let end: Int

    var name: String { "f\(start)-\(end)" }
  }

  /// The different contents of a row, and the frames that show each of them.
  private func spans(row: Int) -> [(span: Span, cells: [ScreenCell])] {
    var spans: [(span: Span, cells: [ScreenCell])] = []
    for (index, frame) in frames.enumerated() {
      let cells = row < frame.grid.size.rows ? Array(frame.grid.row(row)) : []
      if let last = spans.last, last.cells == cells {
        spans[spans.count - 1].span = Span(start: last.span.start, end: index + 1)
      } else {
        spans.append((Span(start: index, end: index + 1), cells))
      }
    }
    return spans
  }

  /// The animation that shows a group during a span.
  private func rule(_ span: Span) -> String {
    let total = frames.reduce(.zero) { $0 + $1.time }
    func percent(_ frame: Int) -> String {
      Self.coordinate(100 * (frames[..<frame].reduce(.zero) { $0 + $1.time } / total))
    }
    let hidden = "visibility:hidden"
    let steps =
      (span.start > 0 ? "0%{\(hidden)}" : "") + "\(percent(span.start))%{visibility:visible}"
      + (span.end < frames.count ? "\(percent(span.end))%,to{\(hidden)}" : "to{visibility:visible}")
    let seconds = Self.coordinate(total / .seconds(1))
    return
      "@keyframes \(span.name){\(steps)}.\(span.name){animation:\(span.name) \(seconds)s step-end infinite}"
  }

  // MARK: - Cells

  private static let style = """
    text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:14px;fill:#e6edf3}
    .h{visibility:hidden}.b{font-weight:bold}.d{fill:#8b949e}.v{fill:#0d1117}
    .red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.cyan{fill:#56d4dd}
    """

  /// The runs of cells with the same style, as SVG elements.
  private static func content(of cells: [ScreenCell]) -> String {
    var output = ""
    var start = 0
    while start < cells.count {
      let style = cells[start].style
      var end = start + 1
      while end < cells.count, cells[end].style == style { end += 1 }
      output += run(cells[start..<end], style)
      start = end
    }
    return output
  }

  private static func run(_ cells: ArraySlice<ScreenCell>, _ style: TextStyle) -> String {
    let color = style.color.map { "\($0)" }
    let x = coordinate(Double(cells.startIndex) * cellWidth)
    var output = ""
    if style.isReversed {
      let fill = color.map { " class=\"\($0)\"" } ?? " fill=\"#e6edf3\""
      output =
        "<rect x=\"\(x)\" width=\"\(coordinate(Double(cells.count) * cellWidth))\" height=\"\(rowHeight)\"\(fill)/>"
    }
    let classes = [style.isReversed ? "v" : color, style.isBold ? "b" : nil, style.isDim ? "d" : nil]
      .compactMap(\.self)
    let attribute = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    for text in texts(in: cells) {
      output += "<text x=\"\(coordinate(Double(text.startIndex) * cellWidth))\" y=\"14\""
      output += " textLength=\"\(coordinate(Double(text.count) * cellWidth))\"\(attribute)>"
      output += "\(escaped(text.map(\.text).joined()))</text>"
    }
    return output
  }

  /// The parts of a run between gaps of two or more spaces. Each part has its own position, so that
  /// columns stay aligned even if the viewer has another font.
  private static func texts(in cells: ArraySlice<ScreenCell>) -> [ArraySlice<ScreenCell>] {
    var texts: [ArraySlice<ScreenCell>] = []
    for index in cells.indices where cells[index].text != " " {
      if let last = texts.last, index - last.endIndex < 2 {
        texts[texts.count - 1] = cells[last.startIndex...index]
      } else {
        texts.append(cells[index...index])
      }
    }
    return texts
  }

  private static func escaped(_ text: String) -> String {
    var output = ""
    for character in text {
      switch character {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      default: output.append(character)
      }
    }
    return output
  }

  /// A number with at most two decimals.
  private static func coordinate(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
    let decimals = hundredths % 100
    return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
  }
}

/// The content of one column of the screen.
struct ScreenCell: Hashable {
  /// The character. Empty in the second column of a wide character.
  var text: String
  var style: TextStyle

  static let blank = ScreenCell(text: " ", style: .plain)
}

/// One line of text, as cells.
struct TextLine: Hashable {
  enum Alignment {
    case left, right
  }

  private(set) var cells: [ScreenCell] = []

  init() {}

  init(_ text: String, _ style: TextStyle = .plain) { append(text, style) }

  var columns: Int { cells.count }

  /// Appends all of `text`.
  mutating func append(_ text: String, _ style: TextStyle = .plain) {
    for glyph in Glyph.glyphs(of: text) {
      cells.append(ScreenCell(text: glyph.text, style: style))
      if glyph.columns == 2 { cells.append(ScreenCell(text: "", style: style)) }
    }
  }

  /// Appends `text` in exactly `width` columns. A longer text ends with `…`, and a shorter one is
  /// padded.
  mutating func append(
    _ text: String, width: Int, _ alignment: Alignment = .left, _ style: TextStyle = .plain
  ) {
    guard width > 0 else { return }
    var line = TextLine(text, style)
    line.fit(width, alignment, style)
    append(line)
  }

  mutating func append(_ line: TextLine) { cells += line.cells }

  /// Appends a line in exactly `width` columns.
  mutating func append(_ line: TextLine, width: Int, _ alignment: Alignment = .left) {
    guard width > 0 else { return }
    var line = line
    line.fit(width, alignment)
    cells += line.cells
  }

  /// Makes the line exactly `width` columns wide.
  mutating func fit(_ width: Int, _ alignment: Alignment = .left, _ style: TextStyle = .plain) {
    let blank = ScreenCell(text: " ", style: style)
    if columns > width {
      let ellipsis = cells[max(0, width - 1)].style
      cells.removeLast(columns - max(0, width - 1))
      // The cut must not leave one half of a wide character.
      if let last = cells.last, Glyph.columns(of: last.text) == 2 { cells[cells.count - 1] = blank }
      if width > 0 { cells.append(ScreenCell(text: "…", style: ellipsis)) }
    }
    let padding = Array(repeating: blank, count: max(0, width - columns))
    cells = alignment == .left ? cells + padding : padding + cells
  }

  /// The line, cut if it is wider than `width`.
  func limited(to width: Int) -> TextLine {
    var line = self
    if columns > width { line.fit(width) }
    return line
  }

  /// Shows the line as selected.
  mutating func reverse() {
    for index in cells.indices { cells[index].style = cells[index].style.reversed }
  }

  /// The lines of a text that is broken between words, each at most `width` columns wide.
  static func wrapped(_ text: String, width: Int, _ style: TextStyle = .plain) -> [TextLine] {
    var lines: [TextLine] = []
    var line = TextLine()
    for word in text.split(whereSeparator: \.isWhitespace) {
      var rest = TextLine(String(word), style)
      if line.columns > 0, line.columns + 1 + rest.columns > width {
        lines.append(line)
        line = TextLine()
      }
      if line.columns > 0 { line.append(" ", style) }
      while line.columns + rest.columns > width {
        lines.append(TextLine(cells: rest.takeFirst(max(1, width - line.columns)), after: line))
        line = TextLine()
      }
      line.append(rest)
    }
    if line.columns > 0 { lines.append(line) }
    return lines
  }

  private init(cells: [ScreenCell], after line: TextLine) { self.cells = line.cells + cells }

  /// Removes at most `count` cells, but never one half of a wide character.
  private mutating func takeFirst(_ count: Int) -> [ScreenCell] {
    let splitsWide = count < cells.count && cells[count].text.isEmpty
    let end = splitsWide ? max(count - 1, count == 1 ? 2 : 0) : count
    defer { cells.removeFirst(min(end, cells.count)) }
    return Array(cells.prefix(end))
  }
}

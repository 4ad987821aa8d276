/// The content of the whole terminal.
struct ScreenGrid: Equatable {
  let size: TerminalSize
  private var cells: [ScreenCell]

  /// Creates an empty screen.
  init(_ size: TerminalSize) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// The cells of a row.
  func row(_ row: Int) -> ArraySlice<ScreenCell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// Draws a line in exactly `width` columns. What lies outside the screen is not drawn.
  mutating func draw(_ line: TextLine, row: Int, column: Int = 0, width: Int) {
    let width = min(width, size.columns - column)
    guard (0..<size.rows).contains(row), width > 0 else { return }
    var line = line
    line.fit(width)
    cells.replaceSubrange(row * size.columns + column..<row * size.columns + column + width, with: line.cells)
  }

  /// The rows as plain text, without spaces at their ends.
  var text: [String] {
    (0..<size.rows).map { row in
      let text = self.row(row).map(\.text).joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension ScreenGrid {
  /// Returns the text and escape sequences that turn `old` into this screen. Contains only the
  /// changed cells.
  ///
  /// - Parameter old: What the terminal shows, or `nil` if that is unknown. A grid of another size
  ///   counts as unknown.
  func changes(from old: ScreenGrid?, hasColor: Bool = true) -> String {
    let old = old?.size == size ? old : nil
    var output = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    var style = old == nil ? TextStyle.plain : nil
    for row in 0..<size.rows {
      let (new, shown) = (Array(self.row(row)), old.map { Array($0.row(row)) })
      var column = 0
      while column < size.columns {
        guard new[column] != (shown?[column] ?? .blank) else {
          column += 1
          continue
        }
        // The second column of a wide character is drawn with the first.
        var end = column + 1
        while end < size.columns, new[end].text.isEmpty || new[end] != (shown?[end] ?? .blank) { end += 1 }
        output += "\u{1B}[\(row + 1);\(column + 1)H"
        for cell in new[column..<end] where !cell.text.isEmpty {
          if cell.style != style { output += cell.style.escapeSequence(hasColor: hasColor) }
          style = cell.style
          output += cell.text
        }
        column = end
      }
    }
    return output.isEmpty ? "" : output + "\u{1B}[0m"
  }
}

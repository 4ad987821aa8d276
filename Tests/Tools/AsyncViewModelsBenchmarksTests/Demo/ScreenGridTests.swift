import AsyncViewModelsTesting
import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct ScreenGridTests {
  @Test("the changes turn any screen into any other", arguments: 0..<40)
  func changes(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var terminal = TestTerminal(TerminalSize(columns: 12, rows: 4))
    var shown: ScreenGrid?
    for _ in 0..<30 {
      let next = Self.grid(terminal.size, by: &generator)
      try terminal.receive(next.changes(from: shown))
      #expect(terminal.text == next.text)
      shown = next
    }
  }

  @Test("only changed cells are written, and nothing if nothing has changed")
  func minimal() {
    var old = ScreenGrid(.smallest)
    old.draw(TextLine("stock 12"), row: 3, width: 8)
    var new = old
    #expect(new.changes(from: old).isEmpty)
    new.draw(TextLine("stock 17"), row: 3, width: 8)
    #expect(new.changes(from: old) == "\u{1B}[4;8H\u{1B}[0m7\u{1B}[0m")
  }

  @Test("without color, the text keeps its other styles")
  func noColor() {
    var grid = ScreenGrid(.smallest)
    grid.draw(TextLine("late", .bad), row: 0, width: 4)
    #expect(grid.changes(from: nil).contains("\u{1B}[0;1;31m"))
    #expect(grid.changes(from: nil, hasColor: false).contains("\u{1B}[0;1m"))
  }

  private static func grid(_ size: TerminalSize, by generator: inout SplitMix64) -> ScreenGrid {
    var grid = ScreenGrid(size)
    for _ in 0..<generator.next(in: 0...6) {
      let text = (0..<generator.next(in: 1...6)).map { _ in generator.pick(["a", "b", " ", "光", "🛒", "é"]) }
        .joined()
      let style = generator.pick([TextStyle.plain, .bad, .dim, .accent])
      // Whole rows, because a line must not cut a wide character of another line.
      grid.draw(TextLine(text, style), row: generator.next(in: 0...size.rows - 1), width: size.columns)
    }
    return grid
  }
}

/// Understands the sequences that a grid writes, as a terminal does.
private struct TestTerminal {
  let size: TerminalSize
  private var cells: [[String]]

  init(_ size: TerminalSize) {
    self.size = size
    cells = Array(repeating: Array(repeating: "?", count: size.columns), count: size.rows)
  }

  var text: [String] {
    cells.map { row in
      var text = row.joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  mutating func receive(_ output: String) throws {
    var rest = output[...]
    var (row, column) = (0, 0)
    while let character = rest.first {
      if let match = rest.prefixMatch(of: /\u{1B}\[(?<row>[0-9]+);(?<column>[0-9]+)H/) {
        (row, column) = (try #require(Int(match.row)) - 1, try #require(Int(match.column)) - 1)
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /\u{1B}\[2J/) {
        cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /\u{1B}\[[0-9;]*m/) {
        rest = rest[match.range.upperBound...]
      } else {
        put(String(character), row, column)
        column += Glyph.columns(of: String(character))
        rest.removeFirst()
      }
    }
  }

  private mutating func put(_ text: String, _ row: Int, _ column: Int) {
    // A terminal erases the other half of a wide character of which one half is overwritten.
    if cells[row][column].isEmpty { cells[row][column - 1] = " " }
    let columns = Glyph.columns(of: text)
    for offset in 0..<columns {
      let next = column + offset + 1
      if next < size.columns, cells[row][next].isEmpty { cells[row][next] = " " }
      cells[row][column + offset] = offset == 0 ? text : ""
    }
  }
}

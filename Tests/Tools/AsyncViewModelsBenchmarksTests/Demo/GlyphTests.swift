import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct GlyphTests {
  @Test(
    "wide characters and emoji take two columns, and all others one",
    arguments: [
      ("lamp", 4), ("Lampe à huile", 13), ("e\u{301}", 1), ("光", 2), ("ランプ", 6), ("한국", 4), ("Ａ", 2),
      ("🛒", 2),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("❤️", 1), ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("…─█", 3), ("", 0),
    ])
  func columns(text: String, columns: Int) {
    #expect(Glyph.columns(of: text) == columns)
    #expect(TextLine(text).columns == columns)
  }

  @Test("control, format and direction characters never reach the screen", arguments: hostile)
  func control(scalar: Unicode.Scalar) {
    let line = TextLine("a\(Character(scalar))b")
    let text = line.cells.map(\.text).joined()
    #expect(!text.unicodeScalars.contains(scalar))
    #expect(text == "ab" || text == "a b")
  }

  private static let hostile: [Unicode.Scalar] =
    ((0...0x1F).map { Unicode.Scalar(UInt8($0)) } + (0x7F...0x9F).map { Unicode.Scalar(UInt8($0)) })
    + ["\u{200B}", "\u{200E}", "\u{202E}", "\u{2028}", "\u{2066}", "\u{FEFF}", "\u{E000}", "\u{E0001}"]

  @Test("an escape sequence in a text loses its escape byte")
  func escapeSequence() {
    #expect(TextLine("\u{1B}[2Jboo\u{9B}31m").cells.map(\.text).joined() == "[2Jboo31m")
  }

  @Test("a letter keeps at most two of its marks")
  func marks() {
    let zalgo = "a" + String(repeating: "\u{300}", count: 50)
    #expect(Glyph.glyphs(of: zalgo).map { $0.text.unicodeScalars.count <= 3 } == [true])
  }
}

@Suite(.timeLimit(.minutes(5)))
struct TextLineTests {
  @Test("a line that is too long is cut with an ellipsis, and never in the middle of a wide character")
  func cut() {
    for width in 0...12 {
      var line = TextLine()
      line.append("光ab光光cd", width: width)
      #expect(line.columns == width)
      for (index, cell) in line.cells.enumerated() where Glyph.columns(of: cell.text) == 2 {
        #expect(line.cells[index + 1].text.isEmpty)
      }
    }
    var line = TextLine()
    line.append("lamp shade", width: 6)
    line.append("7", width: 4, .right)
    #expect(line.cells.map(\.text).joined() == "lamp …   7")
  }

  @Test("text is wrapped between words, and inside a word that is too long")
  func wrap() {
    let lines = TextLine.wrapped("a lamp and a marvelous 光光光光", width: 6)
    #expect(lines.allSatisfy { $0.columns <= 6 })
    let text = lines.map { $0.cells.map(\.text).joined() }
    #expect(
      text == ["a lamp", "and a", "marvel", "ous 光", "光光光"]
        || text == ["a lamp", "and a", "marvel", "ous", "光光光", "光"])
    #expect(TextLine.wrapped("光", width: 1).count == 1)
  }
}

import AsyncViewModelsTesting
import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct KeyParserTests {
  @Test(
    "each key of a terminal is recognized",
    arguments: [
      ("a", Key.character("a")), ("é", .character("é")), ("光", .character("光")), ("🛒", .character("🛒")),
      ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
      ("\u{13}", .control("s")), ("\u{3}", .control("c")), ("\u{1B}[A", .up), ("\u{1B}OB", .down),
      ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}[Z", .backTab), ("\u{1B}[H", .home),
      ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete),
    ])
  func key(input: String, key: Key) {
    var parser = KeyParser()
    #expect(parser.keys(in: input.utf8) == [key])
    #expect(!parser.isWaiting)
  }

  @Test("a sequence or character that is split over reads is one key, wherever it is split")
  func split() {
    let input = Array("é\u{1B}[A光\u{1B}[5~\u{1B}OB🛒x".utf8)
    let keys: [Key] = [
      .character("é"), .up, .character("光"), .pageUp, .down, .character("🛒"), .character("x"),
    ]
    for first in 0...input.count {
      for second in first...input.count {
        var parser = KeyParser()
        let parts = [input[..<first], input[first..<second], input[second...]]
        #expect(parts.flatMap { parser.keys(in: $0) } == keys)
      }
    }
  }

  @Test("an escape byte is the Escape key if nothing follows, and also before another sequence")
  func escape() {
    var parser = KeyParser()
    #expect(parser.keys(in: [0x1B]).isEmpty)
    #expect(parser.isWaiting)
    #expect(parser.flush() == [.escape])
    #expect(parser.keys(in: "\u{1B}\u{1B}[A".utf8) == [.escape, .up])
  }

  @Test(
    "unknown sequences and malformed text are skipped, and the next key is recognized",
    arguments: [
      "\u{1B}[200~", "\u{1B}[1;5A", "\u{1B}[?1;2c", "\u{1B}[[A", "\u{1B}OP", "\u{1B}x", "\u{1B}[<0;1;1M",
      "\0",
      "\u{9B}",
    ].map { Array($0.utf8) } + [[0xC3], [0xFF], [0x80], [0xE5, 0x85], [0xED, 0xA0, 0x80], [0xC0, 0x80]])
  func garbage(bytes: [UInt8]) {
    var parser = KeyParser()
    #expect(parser.keys(in: bytes + Array("q".utf8)) == [.character("q")])
  }

  @Test("an endless sequence is dropped instead of kept")
  func endless() {
    var parser = KeyParser()
    #expect(parser.keys(in: "\u{1B}[".utf8).isEmpty)
    for _ in 0..<100 { #expect(parser.keys(in: "1;1;".utf8).allSatisfy { $0 != .escape }) }
    _ = parser.keys(in: "~".utf8)
    #expect(parser.keys(in: "q".utf8).last == .character("q"))
  }

  @Test("no bytes at all crash the parser, and after a flush it waits for nothing", arguments: 0..<50)
  func random(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var parser = KeyParser()
    for _ in 0..<200 {
      let bytes = (0..<generator.next(in: 0...8)).map { _ in
        generator.pick([0x1B, 0x5B, 0x4F, UInt8(truncatingIfNeeded: generator.next(in: 0...255))])
      }
      _ = parser.keys(in: bytes)
    }
    _ = parser.flush()
    #expect(!parser.isWaiting)
    #expect(parser.keys(in: "q".utf8) == [.character("q")])
  }
}

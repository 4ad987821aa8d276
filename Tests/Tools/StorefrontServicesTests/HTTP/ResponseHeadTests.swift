import AsyncViewModelsTesting
import Testing

@testable import StorefrontServices

@Suite("The head of a response", .timeLimit(.minutes(5)), .endsWaits)
struct ResponseHeadTests {
  /// The head after these lines, and for each line whether it completes a head.
  private func read(_ lines: [String]) -> (head: ResponseHead, ends: [Bool]) {
    var head = ResponseHead()
    let ends = lines.map { head.append(Array($0.utf8)) }
    return (head, ends)
  }

  @Test("an empty line completes a head", arguments: ["\r\n", "\n"])
  func end(lineEnd: String) {
    let (head, ends) = read(["HTTP/1.1 200 OK", "A: b", ""].map { $0 + lineEnd })
    #expect(ends == [false, false, true])
    #expect(head.version == "HTTP/1.1")
    #expect(head.fields == ["A": "b"])
  }

  @Test("a status line begins a new head")
  func interim() {
    let (head, ends) = read([
      "HTTP/1.1 103 Early Hints\r\n", "A: b\r\n", "\r\n", "HTTP/1.0 200 OK\r\n", "C: d\r\n", "\r\n",
    ])
    #expect(ends == [false, false, true, false, false, true])
    #expect(head.version == "HTTP/1.0")
    #expect(head.fields == ["C": "d"])
  }

  @Test("trailer fields are ignored")
  func trailer() {
    let (head, ends) = read(["HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n", "A: c\r\n", "\r\n"])
    #expect(ends == [false, false, true, false, false])
    #expect(head.fields == ["A": "b"])
  }

  @Test("a line of a head or a trailer that looks like a status line begins no head")
  func fieldLikeAStatusLine() {
    let lines = ["HTTP/1.1 200 OK", "Content-Encoding: gzip, gzip", "Content-Length: 1, 1", "HTTP/x: y", ""]
    var (head, ends) = read(lines.map { $0 + "\r\n" })
    #expect(ends == [false, false, false, false, true])
    #expect(head.version == "HTTP/1.1")
    #expect(head.hasNestedEncodings && head.hasAmbiguousLength)
    let fields = head.fields
    #expect(fields["HTTP/x"] == "y")
    head.isFinal = true
    for line in ["HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n"] {
      let isEnd = head.append(Array(line.utf8))
      #expect(!isEnd)
    }
    #expect(head.fields == fields)
  }

  @Test(
    "a line of a head",
    arguments: [
      (["A:b"], ["A": "b"]), (["A: \t b \t"], ["A": "b"]), (["A:"], ["A": ""]), (["A: b:c"], ["A": "b:c"]),
      (["no colon"], [:]), ([" continued"], [:]), (["A: b", " c", "\td"], ["A": "b c d"]),
      (["A: b", "a: c", "A: d"], ["A": "b, c, d"]), (["A: b", "B: c", " d"], ["A": "b", "B": "c d"]),
      (["Ä: ö"], ["Ä": "ö"]),
    ] as [([String], [String: String])])
  func fields(lines: [String], expected: [String: String]) {
    #expect(read(["HTTP/1.1 200 OK\r\n"] + lines.map { $0 + "\r\n" } + ["\r\n"]).head.fields == expected)
  }

  @Test(
    "a body with more than one encoding is recognized",
    arguments: [
      ([], false), (["Content-Encoding: gzip"], false), (["Transfer-Encoding: Chunked"], false),
      (["Content-Encoding: gzip", "Transfer-Encoding: chunked"], false),
      (["Content-Encoding: gzip, gzip"], true), (["Content-Encoding: gzip", "content-encoding: br"], true),
      (["Transfer-Encoding: gzip, chunked"], true), (["Transfer-Encoding: gzip"], true),
    ] as [([String], Bool)])
  func nestedEncodings(lines: [String], expected: Bool) {
    let head = read(["HTTP/1.1 200 OK\r\n"] + lines.map { $0 + "\r\n" } + ["\r\n"]).head
    #expect(head.hasNestedEncodings == expected)
  }

  @Test(
    "a body whose end is not certain is recognized",
    arguments: [
      ([], false), (["Content-Length: 0"], false), (["Content-Length: 9223372036854775807"], false),
      (["Transfer-Encoding: chunked"], false), (["Content-Length:"], true), (["Content-Length: 1, 1"], true),
      (["Content-Length: 1", "content-length: 1"], true), (["Content-Length: +1"], true),
      (["Content-Length: -1"], true), (["Content-Length: 1a"], true), (["Content-Length: \u{661}"], true),
      (["Content-Length: 9223372036854775808"], true),
      (["Content-Length: 1", "Transfer-Encoding: chunked"], true),
    ] as [([String], Bool)])
  func ambiguousLengths(lines: [String], expected: Bool) {
    let head = read(["HTTP/1.1 200 OK\r\n"] + lines.map { $0 + "\r\n" } + ["\r\n"]).head
    #expect(head.hasAmbiguousLength == expected)
  }

  @Test("bytes that are not UTF-8 are replaced")
  func invalidText() {
    var head = ResponseHead()
    _ = head.append(Array("HTTP/1.1 200 OK\r\n".utf8))
    _ = head.append(Array("A: ".utf8) + [0xFF, 0x0D, 0x0A])
    #expect(head.fields == ["A": "\u{FFFD}"])
  }

  @Test("all lines of all heads together have a limit")
  func limit() {
    var head = ResponseHead()
    let interim = ["HTTP/1.1 103 Early Hints\r\n", "\r\n"]
    var length = 0
    while !head.isTooLong {
      for line in interim where !head.isTooLong {
        length += line.utf8.count
        #expect(head.append(Array(line.utf8)) == (line == "\r\n" && length <= ResponseHead.longest))
      }
    }
    #expect(ResponseHead.longest < length && length <= ResponseHead.longest + 30)
  }
}

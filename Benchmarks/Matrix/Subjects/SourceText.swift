import Foundation

/// The code of a source file, without blank lines and without lines that are only a comment.
struct SourceText: Sendable {
  let lines: [Substring]

  init(_ file: URL) throws { self.init(try String(contentsOf: file, encoding: .utf8)) }

  init(_ text: String) {
    lines = text.split(separator: "\n").filter { line in
      guard let start = line.firstIndex(where: { !$0.isWhitespace }) else { return false }
      return !line[start...].hasPrefix("//")
    }
  }

  /// The names and keywords in the code, each once. A member after a dot is omitted, so `queue.async` does
  /// not count as the keyword `async`.
  var words: Set<Substring> {
    lines.reduce(into: []) { words, line in
      for word in line.split(whereSeparator: { !$0.isPartOfName && $0 != "." }) {
        words.insert(word.prefix { $0 != "." })
      }
    }
  }

  func contains(_ pattern: some RegexComponent) -> Bool { lines.contains { $0.contains(pattern) } }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}

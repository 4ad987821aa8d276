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

  /// The types and functions that the file declares outside of other declarations, and that other files can use.
  var declaredNames: Set<Substring> {
    lines.reduce(into: []) { names, line in
      let words = line.split(separator: " ")
      guard let first = line.first, !first.isWhitespace,
        let keyword = words.firstIndex(where: { Self.declarations.contains($0) }), words.count > keyword + 1,
        !words[...keyword].contains(where: { ["extension", "fileprivate", "private"].contains($0) })
      else { return }
      names.insert(words[keyword + 1].prefix(while: \.isPartOfName))
    }
  }

  private static let declarations: Set<Substring> = [
    "actor", "class", "enum", "extension", "func", "protocol", "struct", "typealias",
  ]

  func contains(_ pattern: some RegexComponent) -> Bool { lines.contains { $0.contains(pattern) } }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}

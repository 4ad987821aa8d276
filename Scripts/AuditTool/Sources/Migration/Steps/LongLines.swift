import SwiftSyntax

/// The columns of the longest line of code that a step writes.
private let longest = 100

extension String {
  /// The columns of spaces and tabs.
  var columns: Int { reduce(0) { $0 + ($1 == "\t" ? 4 : 1) } }

  /// A line of code on several lines, if it is too long: what the longest pair of brackets encloses gets a
  /// line of its own, or one for each argument. Comments stay.
  ///
  /// Each tab at the start of the line is one level.
  func broken(base: Int, level: Int) -> [String] {
    let tabs = String(prefix { $0 == "\t" }), code = dropFirst(tabs.count)
    func fits(_ code: some StringProtocol, deeper: Int = 0) -> Bool {
      base + (tabs.count + deeper) * level + code.count <= longest
    }
    guard !fits(code), !code.contains("//"), !code.contains("/*"), !contains("\n"),
      let (start, end) = code.longestBrackets
    else { return [self] }
    let head = code[...start], inner = code[code.index(after: start)..<end].trimmed, tail = code[end...]
    // A declaration ends on a line of its own, as does a closure.
    let isApart = code.contains("func ") || code.contains("init(") || code[start] == "{"
    var lines = fits(inner + (isApart ? "" : tail), deeper: 1) ? [inner] : inner.arguments
    if !isApart { lines[lines.count - 1] += tail }
    return [tabs + head] + lines.flatMap { (tabs + "\t" + $0).broken(base: base, level: level) }
      + (isApart ? [tabs + tail] : [])
  }
}

extension String {
  /// A comment about something to decide on several lines, if it is too long. Other lines stay.
  func brokenDecision(base: Int) -> [String] {
    guard hasPrefix(decision("")) else { return [self] }
    // Code in backticks is one word.
    var words: [String] = [], isInCode = false
    for word in split(separator: " ") {
      if isInCode { words[words.count - 1] += " " + word } else { words.append(String(word)) }
      if word.count(where: { $0 == "`" }) % 2 == 1 { isInCode.toggle() }
    }
    var lines = [words.removeFirst()]
    for word in words {
      if base + lines[lines.count - 1].count + 1 + word.count <= longest {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append("// " + word)
      }
    }
    return lines
  }
}

extension Edits {
  /// Replaces a statement by one that stands on several lines if it is long.
  mutating func replaceCode(_ node: some SyntaxProtocol, with code: String) {
    let indentation = indentation(of: node), unit = indentationUnit(of: node)
    let lines = code.broken(base: indentation.columns, level: unit.columns).map { line in
      let levels = line.prefix { $0 == "\t" }.count
      return String(repeating: unit, count: levels) + line.dropFirst(levels)
    }
    replace(node, with: lines.joined(separator: "\n" + indentation))
  }
}

extension Substring {
  /// The brackets, in no other brackets, that enclose the most code.
  fileprivate var longestBrackets: (Index, Index)? {
    var open: [Index] = [], found: [(start: Index, end: Index)] = []
    for index in indices {
      switch self[index] {
      case "(", "{": open.append(index)
      case ")", "}":
        guard let start = open.popLast() else { return nil }
        if open.isEmpty { found.append((start, index)) }
      default: break
      }
    }
    func length(_ pair: (start: Index, end: Index)) -> Int { self[pair.start...pair.end].trimmed.count }
    return found.max { length($0) < length($1) }.flatMap { length($0) > 2 ? $0 : nil }
  }

  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension String {
  /// The parts between the commas outside of brackets, each with its comma.
  fileprivate var arguments: [String] {
    var parts = [""], depth = 0
    for character in self {
      parts[parts.count - 1].append(character)
      switch character {
      case "(", "{", "[": depth += 1
      case ")", "}", "]": depth -= 1
      case "," where depth == 0: parts.append("")
      default: break
      }
    }
    return parts.map { Substring($0).trimmed }
  }
}

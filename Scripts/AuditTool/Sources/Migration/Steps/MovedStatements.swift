import Audit
import Foundation
import SwiftSyntax

/// The lines of some statements, with small changes, for another place.
struct MovedStatements {
  private let items: [CodeBlockItemSyntax]
  private let file: SourceFile
  private let base: String
  private var changes: [(range: Range<Int>, text: String)] = []
  private var removed: Set<SyntaxIdentifier> = []

  init(_ items: [CodeBlockItemSyntax], in file: SourceFile, _ edits: Edits) {
    (self.items, self.file) = (items, file)
    base = items.first.map { edits.indentation(of: $0) } ?? ""
  }

  mutating func replace(_ node: some SyntaxProtocol, with text: String) {
    changes.append(
      (
        node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset,
        text
      ))
  }

  /// Replaces the text between two positions.
  mutating func replace(_ range: Range<AbsolutePosition>, with text: String) {
    changes.append((range.lowerBound.utf8Offset..<range.upperBound.utf8Offset, text))
  }

  /// Removes a statement. Its comments stay. Returns whether the rest is still code.
  mutating func remove(_ item: CodeBlockItemSyntax) -> Bool {
    if items.contains(where: { $0.id == item.id }) {
      removed.insert(item.id)
      return true
    }
    if item.siblings.count == 1 {
      replace(item, with: item.parent?.parent?.is(SwitchCaseSyntax.self) == true ? "break" : "")
      return true
    }
    let isAlone =
      item.leadingTrivia.hasNewline && item.semicolon == nil
      && item.nextToken(viewMode: .sourceAccurate)?.leadingTrivia.hasNewline == true
    guard isAlone else { return false }
    let end = item.endPositionBeforeTrailingTrivia.utf8Offset
    var start = item.positionAfterSkippingLeadingTrivia.utf8Offset
    let bytes = Array(file.text.utf8.prefix(start))
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    changes.append((max(start - 1, 0)..<end, ""))
    return true
  }

  /// The lines without the indentation that all of them share.
  var lines: [String] {
    var lines: [String] = []
    for item in items {
      let start = item.position.utf8Offset
      let code = item.positionAfterSkippingLeadingTrivia.utf8Offset
      let end = item.semicolon == nil ? item.endPosition : item.item.endPositionBeforeTrailingTrivia
      let range = start..<(removed.contains(item.id) ? code : end.utf8Offset)
      var text = self.text(range)
      if item.leadingTrivia.hasNewline { text.removeFirst(text.first?.isNewline == true ? 1 : 0) }
      var own = text.components(separatedBy: "\n").map(withoutBase)
      if removed.contains(item.id) { own = own.filter { !$0.isEmpty } }
      lines += own
    }
    while lines.first?.isEmpty == true { lines.removeFirst() }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private func text(_ range: Range<Int>) -> String {
    let bytes = Array(file.text.utf8)
    var result: [UInt8] = [], end = range.lowerBound
    for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where range.contains(change.range.lowerBound) {
      result += bytes[end..<change.range.lowerBound] + Array(change.text.utf8)
      end = change.range.upperBound
    }
    if end < range.upperBound { result += bytes[end..<range.upperBound] }
    return String(decoding: result, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
  }

  private func withoutBase(_ line: String) -> String {
    if line.allSatisfy(\.isWhitespace) { return "" }
    var rest = line.hasPrefix(base) ? line.dropFirst(base.count) : Substring(line)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

extension [CodeBlockItemSyntax] {
  /// The first comment of the statements that some lines do not have.
  func comment(missingIn lines: [String]) -> (text: String, token: TokenSyntax)? {
    let text = lines.joined(separator: "\n")
    for token in flatMap({ $0.tokens(viewMode: .sourceAccurate).map { $0 } }) {
      for piece in token.leadingTrivia.pieces + token.trailingTrivia.pieces {
        switch piece {
        case .lineComment(let comment), .blockComment(let comment):
          if !text.contains(comment) { return (comment, token) }
        default: continue
        }
      }
    }
    return nil
  }
}

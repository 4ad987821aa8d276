import Audit
import Foundation
import SwiftSyntax

/// Edits of the text of some files. What they do not touch stays byte for byte.
public struct Edits: Sendable {
  struct Edit: Sendable {
    let range: Range<Int>
    let text: String
  }

  private let project: Project
  /// The edits of each file in the order in which they were made.
  private(set) var edits: [String: [Edit]] = [:]
  private(set) var imports: [String: Set<String>] = [:]

  public init(_ project: Project) { self.project = project }

  public var isEmpty: Bool { edits.isEmpty }

  // MARK: Nodes

  /// Replaces a node. The comments and spaces around it stay.
  public mutating func replace(_ node: some SyntaxProtocol, with text: String) {
    add(
      node,
      node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset,
      text)
  }

  /// Replaces the text between two positions in the file of a node.
  mutating func replace(
    _ start: AbsolutePosition, _ end: AbsolutePosition, in node: some SyntaxProtocol, with text: String
  ) {
    add(node, start.utf8Offset..<end.utf8Offset, text)
  }

  /// Inserts text directly before a node, after its comments.
  public mutating func insert(_ text: String, before node: some SyntaxProtocol) {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    add(node, start..<start, text)
  }

  /// Inserts text directly after a node.
  public mutating func insert(_ text: String, after node: some SyntaxProtocol) {
    let end = node.endPositionBeforeTrailingTrivia.utf8Offset
    add(node, end..<end, text)
  }

  // MARK: Lines

  /// Inserts lines above the line of a node and its comments, indented as the node.
  ///
  /// The indentation of `lines` consists of tabs, each of which stands for one level.
  public mutating func insertLines(_ lines: [String], before node: some SyntaxProtocol) {
    let start = attachedStart(of: node)
    let text = indented(lines, like: node)
    add(node, start..<start, start == 0 ? text.dropFirst() + "\n" : text)
  }

  /// Inserts lines below the line on which a node ends, indented as the node. If other code follows
  /// on that line, inserts the lines after a semicolon.
  public mutating func insertLines(_ lines: [String], after node: some SyntaxProtocol) {
    guard let next = node.nextToken(viewMode: .sourceAccurate), !next.leadingTrivia.hasNewline,
      next.tokenKind != .endOfFile
    else {
      // A comment at the end of the line belongs to the node.
      let end = node.endPosition.utf8Offset
      return add(node, end..<end, indented(lines, like: node))
    }
    let code = lines.joined(separator: "; ")
    let endsWithSemicolon = node.lastToken(viewMode: .sourceAccurate)?.tokenKind == .semicolon
    insert(endsWithSemicolon ? " \(code);" : "; \(code)", after: node)
  }

  /// Removes a node with its comments and its line.
  public mutating func removeLines(_ node: some SyntaxProtocol) { removeLines(from: node, to: node) }

  /// Removes nodes with their comments and their lines, as one piece if they follow each other.
  mutating func removeLines(_ nodes: [some SyntaxProtocol]) {
    var rest = nodes.sorted { $0.position < $1.position }[...]
    while let first = rest.popFirst() {
      var last = first
      while let next = rest.first, next.position == last.endPosition { last = rest.removeFirst() }
      removeLines(from: first, to: last)
    }
  }

  private mutating func removeLines(from first: some SyntaxProtocol, to last: some SyntaxProtocol) {
    var start = attachedStart(of: first), end = last.endPosition.utf8Offset
    let before = text(first.position.utf8Offset..<start, of: first)
    let next = last.nextToken(viewMode: .sourceAccurate)
    let follows =
      next.map {
        text($0.position.utf8Offset..<$0.positionAfterSkippingLeadingTrivia.utf8Offset, of: last)
      } ?? ""
    // Of the empty lines above and below, one stays, and none below an opening brace.
    if before.contains("\n"), follows.startsWithEmptyLine || next?.tokenKind == .rightBrace {
      start = first.position.utf8Offset
    } else if first.previousToken(viewMode: .sourceAccurate)?.tokenKind == .leftBrace {
      end += follows.emptyLinesAtStart
    }
    add(first, start..<end, "")
  }

  /// Replaces a node, its comments and its line by lines.
  public mutating func replaceLines(_ node: some SyntaxProtocol, with lines: [String]) {
    add(node, attachedStart(of: node)..<node.endPosition.utf8Offset, indented(lines, like: node))
  }

  /// Replaces nodes that follow each other, their comments and their lines by lines.
  mutating func replaceLines(
    from first: some SyntaxProtocol, to last: some SyntaxProtocol, with lines: [String]
  ) {
    add(first, attachedStart(of: first)..<last.endPosition.utf8Offset, indented(lines, like: first))
  }

  /// Indents the lines of a node, with its comments, up to the line of a brace, by one level.
  mutating func indentLines(from node: some SyntaxProtocol, to brace: TokenSyntax, by unit: String) {
    guard let file = project.file(of: node) else { return }
    let bytes = Array(file.text.utf8)
    let start = attachedStart(of: node), end = brace.positionAfterSkippingLeadingTrivia.utf8Offset
    let lineEnds = bytes[start..<end].indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for index in lineEnds.dropLast()
    where ![UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(bytes[index + 1]) {
      add(node, index + 1..<index + 1, unit)
    }
  }

  /// Inserts a line above a closing brace that begins its line.
  mutating func insertLine(_ line: String, above brace: TokenSyntax) {
    guard let file = project.file(of: brace) else { return }
    let bytes = Array(file.text.utf8), end = brace.positionAfterSkippingLeadingTrivia.utf8Offset
    guard var index = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")) else { return }
    if index > 0, bytes[index - 1] == UInt8(ascii: "\r") { index -= 1 }
    add(brace, index..<index, "\n" + line)
  }

  /// The comments that belong to a declaration, and a comment at the end of its line.
  public func comments(of node: some SyntaxProtocol) -> [String] {
    text(attachedStart(of: node)..<node.positionAfterSkippingLeadingTrivia.utf8Offset, of: node)
      .split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// Imports a module in the file of a node, unless the file or another edit imports it.
  public mutating func addImport(_ module: String, to node: some SyntaxProtocol) {
    guard let file = project.file(of: node), !file.imports(module) else { return }
    // Both modules export the toolkit.
    if module == "AsyncViewModels", file.imports("AsyncViewModelsGCD", "AsyncViewModelsUI") { return }
    imports[file.path, default: []].insert(module)
  }

  // MARK: Text

  /// The indentation of the line on which a node begins.
  public func indentation(of node: some SyntaxProtocol) -> String {
    guard let file = project.file(of: node) else { return "" }
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    let before = Array(file.text.utf8.prefix(start))
    let line = before.suffix(from: (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)
    return String(
      decoding: line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }, as: UTF8.self)
  }

  /// One level of indentation around a node: that of the members of its type.
  public func indentationUnit(of node: some SyntaxProtocol) -> String {
    let around = [Syntax(node)] + node.ancestors
    for group in around.compactMap({ declGroup($0) }) {
      guard let member = group.memberBlock.members.first, member.leadingTrivia.hasNewline else { continue }
      let outer = indentation(of: group), inner = indentation(of: member)
      if inner.hasPrefix(outer), inner.count > outer.count { return String(inner.dropFirst(outer.count)) }
    }
    return "  "
  }

  /// Lines with a line end before each, and with the indentation of a node.
  private func indented(_ lines: [String], like node: some SyntaxProtocol) -> String {
    let start = indentation(of: node), unit = indentationUnit(of: node)
    return lines.flatMap { line in
      let levels = line.prefix { $0 == "\t" }.count
      let rest = String(line.dropFirst(levels)), indentation = start + String(repeating: unit, count: levels)
      if rest.isEmpty { return ["\n"] }
      return rest.brokenDecision(base: indentation.columns).map { "\n" + indentation + $0 }
    }.joined()
  }

  /// Where a node begins with the comments directly above it: at the line end before them.
  private func attachedStart(of node: some SyntaxProtocol) -> Int {
    let start = node.position.utf8Offset
    let leading = Array(text(start..<node.positionAfterSkippingLeadingTrivia.utf8Offset, of: node).utf8)
    var attached = leading.count
    var end = leading.count
    while let newline = leading[..<end].lastIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: leading[(newline + 1)..<end], as: UTF8.self)
      let isLast = end == leading.count
      if !isLast, line.allSatisfy(\.isWhitespace) || line.contains("MARK:") { break }
      attached = newline > 0 && leading[newline - 1] == UInt8(ascii: "\r") ? newline - 1 : newline
      end = attached
    }
    // In the first line of a file.
    if start == 0, end == leading.count || leading[..<end].isEmpty { return 0 }
    return start + attached
  }

  private func text(_ range: Range<Int>, of node: some SyntaxProtocol) -> String {
    guard let file = project.file(of: node) else { return "" }
    return String(decoding: file.text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
  }

  private mutating func add(_ node: some SyntaxProtocol, _ range: Range<Int>, _ text: String) {
    guard let file = project.file(of: node) else { return }
    edits[file.path, default: []].append(Edit(range: range, text: text))
  }

  // MARK: Application

  /// Adds the edits of another type, unless they overlap. Returns whether they were added.
  mutating func merge(_ other: Edits) -> Bool {
    let overlap = other.edits.contains { path, new in
      let old = edits[path, default: []]
      return new.contains { new in
        old.contains {
          $0.range.overlaps(new.range) || ($0.range.isEmpty && new.range.isEmpty && $0.range == new.range)
        }
      }
    }
    if overlap { return false }
    edits.merge(other.edits) { $0 + $1 }
    imports.merge(other.imports) { $0.union($1) }
    return true
  }

  /// The text of a file after the edits. `nil` if two edits overlap.
  func apply(to file: SourceFile) -> String? {
    if edits[file.path] == nil, imports[file.path] == nil { return file.text }
    let bytes = Array(file.text.utf8)
    let usesCRLF = file.text.utf8.firstIndex(of: UInt8(ascii: "\r")) != nil && file.text.contains("\r\n")
    var result: [UInt8] = [], end = 0
    let all = importEdits(file) + edits[file.path, default: []]
    for (_, edit) in all.enumerated().sorted(by: {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }) {
      guard edit.range.lowerBound >= end else { return nil }
      result += bytes[end..<edit.range.lowerBound]
      let text = edit.text
      result += Array((usesCRLF ? text.replacingOccurrences(of: "\n", with: "\r\n") : text).utf8)
      end = edit.range.upperBound
    }
    result += bytes[end...]
    return String(decoding: result, as: UTF8.self)
  }

  private func importEdits(_ file: SourceFile) -> [Edit] {
    let modules = imports[file.path, default: []].sorted()
    return modules.map { module in
      let before = file.imports.last { $0.path.code < module }
      if let before { return Edit(at: before.endPosition.utf8Offset, "\nimport \(module)") }
      if let first = file.imports.first {
        return Edit(at: first.positionAfterSkippingLeadingTrivia.utf8Offset, "import \(module)\n")
      }
      // After the comment at the start of the file.
      var offset = 0, header = 0
      for piece in file.tree.leadingTrivia.pieces {
        if case .docLineComment = piece { break }
        offset += piece.sourceLength.utf8Length
        if case .newlines(let count) = piece, count > 1 { header = offset }
      }
      return Edit(at: header, "import \(module)\n" + (module == modules.last ? "\n" : ""))
    }
  }
}

extension Edits.Edit {
  fileprivate init(at offset: Int, _ text: String) {
    self.init(range: offset..<offset, text: text)
  }
}

extension Trivia {
  var hasNewline: Bool {
    pieces.contains {
      switch $0 {
      case .newlines, .carriageReturns, .carriageReturnLineFeeds: true
      default: false
      }
    }
  }
}

extension String {
  fileprivate var startsWithEmptyLine: Bool { emptyLinesAtStart > 0 }

  /// The bytes of the empty lines after the end of the first line.
  fileprivate var emptyLinesAtStart: Int {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst().dropLast()
      .prefix { $0.allSatisfy { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) } }
      .reduce(0) { $0 + $1.count + 1 }
  }
}

extension Project {
  /// The file in which a node stands.
  public func file(of node: some SyntaxProtocol) -> SourceFile? {
    let root = node.root.id
    return files.first { $0.tree.id == root }
  }
}

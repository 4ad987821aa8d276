import SwiftParser
import SwiftSyntax

/// A parsed Swift file with an index of its nodes by kind.
public final class SourceFile: Sendable {
  public let path: String
  /// The part of the path below the scanned folder. Empty for a file that is named itself.
  private let innerPath: String
  public let text: String
  public let tree: SourceFileSyntax
  /// Whether the tree was too deep to walk, and has been left out.
  public let isTooDeep: Bool
  private static let deepest = 2_000
  private let converter: SourceLocationConverter
  private let nodes: [SyntaxKind: [Syntax]]
  /// The names to which the expressions refer, with those of members.
  let names: Set<String>
  /// The bodies of functions, initializers, accessors and closures, each closure by itself.
  public private(set) nonisolated(unsafe) var bodies: [Body] = []  // Changes only in the initializer.

  /// `folder` is the scanned folder in which the file was found.
  public init(path: String, text: String, in folder: String? = nil) {
    self.path = path
    innerPath = folder.map { String(path.dropFirst($0.count)) } ?? ""
    self.text = text
    var (tree, index) = Self.parse(text)
    isTooDeep = index.depth > Self.deepest
    if isTooDeep { (tree, index) = Self.parse("") }
    self.tree = tree
    converter = SourceLocationConverter(fileName: path, tree: tree)
    nodes = index.nodes
    names = index.names
    bodies = findBodies()
  }

  private static func parse(_ text: String) -> (SourceFileSyntax, NodeIndex) {
    // The default differs between debug and release.
    var parser = Parser(text, maximumNestingLevel: 256)
    let tree = SourceFileSyntax.parse(from: &parser)
    return (tree, NodeIndex(tree))
  }

  /// All nodes of a type in the order of the text.
  public func all<Node: SyntaxProtocol>(_ type: Node.Type) -> [Node] {
    (type as? any IndexedNode.Type).map { nodes[$0.indexedKind, default: []].compactMap { $0.as(type) } }
      ?? tree.descendants(type)
  }

  public func place(_ node: some SyntaxProtocol, _ label: String = "") -> Place {
    let location = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    let before = text.utf8.prefix(location.offset).suffix(location.column - 1)
    return Place(
      path: path, line: location.line, column: location.column,
      utf16Column: String(decoding: before, as: UTF8.self).utf16.count + 1, label: label)
  }

  /// Whether the code at a place is only for developers: in `#if DEBUG`, or in a type, file or folder
  /// that is named like `DebugMenu`.
  func isForDebugging(_ place: Place) -> Bool {
    func isNamedDebug(_ name: some StringProtocol) -> Bool {
      words(of: String(name.prefix { $0 != "." })).contains("debug")
    }
    if innerPath.split(separator: "/").contains(where: { isNamedDebug($0) }) { return true }
    guard text.contains("DEBUG") || text.contains("Debug"),
      let token = tree.token(at: converter.position(ofLine: place.line, column: place.column))
    else { return false }
    return lexicalPath(Syntax(token)).contains { isNamedDebug($0) }
      || token.ancestors.contains { $0.as(IfConfigClauseSyntax.self)?.isForDebugging == true }
  }

  public func line(of position: AbsolutePosition) -> Int { converter.location(for: position).line }

  /// Whether the parser had to skip or invent code.
  public var isBroken: Bool { tree.hasError }

  /// Where the first code stands that the parser had to skip or invent.
  package var firstSyntaxError: Place? {
    guard isBroken else { return nil }
    let tokens = tree.tokens(viewMode: .all)
    let first = tokens.first { token in
      token.presence == .missing || token.hasError
        || token.ancestors.contains { $0.is(UnexpectedNodesSyntax.self) }
    }
    return first.map { place($0) }
  }

  /// The modules that the file imports.
  public var imports: [ImportDeclSyntax] { all(ImportDeclSyntax.self) }

  /// Whether the file belongs to tests, in which nothing goes wrong for a person: it imports a test
  /// framework, or its name or a folder below the given path says so.
  public var isTest: Bool {
    imports("XCTest", "Testing", "Quick", "Nimble")
      || innerPath.split(separator: "/").contains(where: isTestName)
  }

  /// Whether a tool wrote the file: its name or its first comment says so. A file that is named itself is
  /// checked.
  var isGenerated: Bool {
    guard !innerPath.isEmpty else { return false }
    return innerPath.lowercased().hasSuffix(".generated.swift")
      || text.split(maxSplits: 10, whereSeparator: \.isNewline).prefix(10).prefix { $0.hasPrefix("//") }
        .contains { line in ["Generated using Sourcery", "AutoMockable"].contains { line.contains($0) } }
  }

  /// Whether a file or folder is named like `Mocks`, `MockService.swift`, `CartTests` or `TestHelpers`.
  private func isTestName(_ name: Substring) -> Bool {
    let words = words(of: String(name.prefix { $0 != "." }))
    return words.first == "mock" || words.starts(with: ["test", "helpers"])
      || words.contains { ["mocks", "fakes", "stubs", "tests"].contains($0) }
  }

  public func imports(_ names: String...) -> Bool {
    imports.contains { names.contains($0.path.first?.name.text ?? "") }
  }
}

extension IfConfigClauseSyntax {
  /// Whether the clause is compiled only in debug builds.
  fileprivate var isForDebugging: Bool {
    if let condition { return condition.code.split(separator: " ").contains("DEBUG") }
    let clauses = parent?.as(IfConfigClauseListSyntax.self)
    return clauses?.count == 2 && clauses?.first?.condition?.code == "!DEBUG"
  }
}

/// A node type that `SourceFile` indexes.
protocol IndexedNode: SyntaxProtocol { static var indexedKind: SyntaxKind { get } }
extension FunctionCallExprSyntax: IndexedNode { static var indexedKind: SyntaxKind { .functionCallExpr } }
extension FunctionDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .functionDecl } }
extension InitializerDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .initializerDecl } }
extension DeinitializerDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .deinitializerDecl } }
extension VariableDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .variableDecl } }
extension ClosureExprSyntax: IndexedNode { static var indexedKind: SyntaxKind { .closureExpr } }
extension ForStmtSyntax: IndexedNode { static var indexedKind: SyntaxKind { .forStmt } }
extension WhileStmtSyntax: IndexedNode { static var indexedKind: SyntaxKind { .whileStmt } }
extension ImportDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .importDecl } }
extension ClassDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .classDecl } }
extension StructDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .structDecl } }
extension EnumDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .enumDecl } }
extension ActorDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .actorDecl } }
extension ProtocolDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .protocolDecl } }
extension ExtensionDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .extensionDecl } }
extension TypeAliasDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .typeAliasDecl } }
extension SequenceExprSyntax: IndexedNode { static var indexedKind: SyntaxKind { .sequenceExpr } }
extension AwaitExprSyntax: IndexedNode { static var indexedKind: SyntaxKind { .awaitExpr } }
extension AccessorDeclSyntax: IndexedNode { static var indexedKind: SyntaxKind { .accessorDecl } }

private let indexedKinds: Set<SyntaxKind> = [
  .functionCallExpr, .functionDecl, .initializerDecl, .deinitializerDecl, .variableDecl, .closureExpr,
  .forStmt,
  .whileStmt, .importDecl, .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl,
  .typeAliasDecl, .sequenceExpr, .awaitExpr, .accessorDecl,
]

/// Walks a tree without recursion, because a long chain of calls is as deep as it is long.
private struct NodeIndex {
  private(set) var nodes: [SyntaxKind: [Syntax]] = [:]
  private(set) var names: Set<String> = []
  private(set) var depth = 0

  init(_ tree: SourceFileSyntax) {
    var open = [(node: Syntax(tree), depth: 1)]
    while let (node, depth) = open.popLast() {
      self.depth = max(self.depth, depth)
      let kind = node.kind
      if kind == .declReferenceExpr {
        names.insert(node.cast(DeclReferenceExprSyntax.self).baseName.text)
      }
      if indexedKinds.contains(kind) { nodes[kind, default: []].append(node) }
      for child in node.children(viewMode: .sourceAccurate).reversed() where child.kind != .token {
        open.append((child, depth + 1))
      }
    }
  }
}

extension SyntaxProtocol {
  /// The nodes of a type below this node in the order of the text. `isEntered` says into which
  /// nodes the search goes.
  public func descendants<Node: SyntaxProtocol>(
    _ type: Node.Type, entering isEntered: (Syntax) -> Bool = { _ in true }
  )
    -> [Node]
  {
    var found: [Node] = []
    func search(_ node: Syntax) {
      for child in node.children(viewMode: .sourceAccurate) where child.kind != .token {
        if let match = child.as(type) { found.append(match) }
        if isEntered(child) { search(child) }
      }
    }
    search(Syntax(self))
    return found
  }

  /// The nodes around this node, the innermost first.
  public var ancestors: some Sequence<Syntax> {
    sequence(first: parent ?? Syntax(self)) { $0.parent }.dropFirst(parent == nil ? 1 : 0)
  }

  public func ancestor<Node: SyntaxProtocol>(_ type: Node.Type) -> Node? {
    var node = parent
    while let current = node {
      if let match = current.as(type) { return match }
      node = current.parent
    }
    return nil
  }

  /// The source text without the trivia around it.
  public var code: String { trimmedDescription }
}

/// A place in a file that takes part in a finding.
public struct Place: Hashable, Sendable {
  public let path: String
  public let line: Int
  /// In bytes, as the compiler counts.
  public let column: Int
  public let utf16Column: Int
  public var label: String
}

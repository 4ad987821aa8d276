import SwiftParser
import SwiftSyntax

/// A parsed Swift file with an index of its nodes by kind.
public final class SourceFile: Sendable {
  public let path: String
  public let text: String
  public let tree: SourceFileSyntax
  private let converter: SourceLocationConverter
  private let nodes: [SyntaxKind: [Syntax]]
  /// The names to which the expressions refer, with those of members.
  let names: Set<String>
  /// The bodies of functions, initializers, accessors and closures, each closure by itself.
  public private(set) nonisolated(unsafe) var bodies: [Body] = []  // Changes only in the initializer.

  public init(path: String, text: String) {
    self.path = path
    self.text = text
    tree = Parser.parse(source: text)
    converter = SourceLocationConverter(fileName: path, tree: tree)
    let index = NodeIndex(viewMode: .sourceAccurate)
    index.walk(tree)
    nodes = index.nodes
    names = index.names
    bodies = findBodies()
  }

  /// All nodes of a type in the order of the text.
  public func all<Node: SyntaxProtocol>(_ type: Node.Type) -> [Node] {
    (type as? any IndexedNode.Type).map { nodes[$0.indexedKind, default: []].compactMap { $0.as(type) } }
      ?? tree.descendants(type)
  }

  public func place(_ node: some SyntaxProtocol, _ label: String = "") -> Place {
    let location = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    return Place(path: path, line: location.line, column: location.column, label: label)
  }

  public func line(of position: AbsolutePosition) -> Int { converter.location(for: position).line }

  /// Whether the parser had to skip or invent code.
  public var isBroken: Bool { tree.hasError }

  /// The modules that the file imports.
  public var imports: [ImportDeclSyntax] { all(ImportDeclSyntax.self) }

  /// Whether the file belongs to tests, in which nothing goes wrong for a person.
  public var isTest: Bool { imports("XCTest", "Testing", "Quick", "Nimble") }

  public func imports(_ names: String...) -> Bool {
    imports.contains { names.contains($0.path.first?.name.text ?? "") }
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

private final class NodeIndex: SyntaxAnyVisitor {
  var nodes: [SyntaxKind: [Syntax]] = [:]
  var names: Set<String> = []

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    if let reference = node.as(DeclReferenceExprSyntax.self) { names.insert(reference.baseName.text) }
    if indexedKinds.contains(node.kind) { nodes[node.kind, default: []].append(node) }
    return .visitChildren
  }

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
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
  public let column: Int
  public var label: String
}

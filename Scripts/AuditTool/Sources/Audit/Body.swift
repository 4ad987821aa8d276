import SwiftSyntax

/// The body of a function, initializer, accessor or closure.
public struct Body: Sendable {
  /// The function, initializer, accessor, variable or closure.
  public let node: Syntax
  public let statements: CodeBlockItemListSyntax
  /// Whether the body waits, apart from nested closures.
  public let isAsync: Bool

  public var function: FunctionDeclSyntax? { node.as(FunctionDeclSyntax.self) }
  public var closure: ClosureExprSyntax? { node.as(ClosureExprSyntax.self) }

  /// The name of the function or property, for messages.
  public var name: String {
    if let function { return function.name.text }
    if node.is(InitializerDeclSyntax.self) { return "init" }
    if node.is(DeinitializerDeclSyntax.self) { return "deinit" }
    if let closure { return closure.ancestor(FunctionDeclSyntax.self)?.name.text ?? "closure" }
    return node.ancestor(PatternBindingSyntax.self)?.pattern.code ?? "accessor"
  }

  init(_ node: Syntax, _ statements: CodeBlockItemListSyntax) {
    self.node = node
    self.statements = statements
    isAsync = awaits(in: Syntax(statements))
  }
}

extension SourceFile {
  /// All bodies, each closure by itself.
  func findBodies() -> [Body] {
    var found: [Body] = []
    for node in all(FunctionDeclSyntax.self) {
      if let body = node.body { found.append(Body(Syntax(node), body.statements)) }
    }
    for node in all(InitializerDeclSyntax.self) {
      if let body = node.body { found.append(Body(Syntax(node), body.statements)) }
    }
    for node in all(DeinitializerDeclSyntax.self) {
      if let body = node.body { found.append(Body(Syntax(node), body.statements)) }
    }
    for node in all(AccessorDeclSyntax.self) {
      if let body = node.body { found.append(Body(Syntax(node), body.statements)) }
    }
    for variable in all(VariableDeclSyntax.self) {
      for binding in variable.bindings {
        if case .getter(let statements) = binding.accessorBlock?.accessors {
          found.append(Body(Syntax(binding), statements))
        }
      }
    }
    for node in all(ClosureExprSyntax.self) { found.append(Body(Syntax(node), node.statements)) }
    return found
  }
}

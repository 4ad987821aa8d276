import SwiftSyntax

extension FunctionCallExprSyntax {
  /// The last name of the called function: `load` for `self.service.load(id)`.
  public var name: String {
    var callee = calledExpression
    if let specialized = callee.as(GenericSpecializationExprSyntax.self) { callee = specialized.expression }
    if let chained = callee.as(OptionalChainingExprSyntax.self) { callee = chained.expression }
    if let forced = callee.as(ForceUnwrapExprSyntax.self) { callee = forced.expression }
    return callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? callee.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
  }

  /// What stands before the last name: `self.service` for `self.service.load(id)`.
  public var receiver: ExprSyntax? {
    var callee = calledExpression
    if let specialized = callee.as(GenericSpecializationExprSyntax.self) { callee = specialized.expression }
    return callee.as(MemberAccessExprSyntax.self)?.base
  }

  /// The code of the callee without spaces and line ends: `DispatchQueue.main.async`.
  ///
  /// A long chain has only its last name, because its text is as long as all closures before it.
  public var callee: String {
    if let reference = calledExpression.as(DeclReferenceExprSyntax.self), reference.argumentNames == nil {
      return reference.baseName.text
    }
    if calledExpression.trimmedLength.utf8Length > 200 { return "." + name }
    return String(calledExpression.code.filter { !$0.isWhitespace })
  }

  /// All closures that are given to the call, with their labels.
  public var closures: [(label: String?, closure: ClosureExprSyntax)] {
    arguments.compactMap { argument in
      argument.expression.as(ClosureExprSyntax.self).map { (argument.label?.text, $0) }
    } + (trailingClosure.map { [(nil, $0)] } ?? [])
      + additionalTrailingClosures.map { ($0.label.text, $0.closure) }
  }

  public func argument(_ label: String?) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }
}

extension FunctionSignatureSyntax {
  /// Whether a function returns a token with which its caller cancels.
  var returnsToken: Bool {
    let type = returnClause?.type.code ?? ""
    return ["Token", "Cancellable"].contains { type.contains($0) }
  }
}

extension ClosureExprSyntax {
  /// The call to which the closure is given, and its label. `nil` if it is assigned, returned or
  /// called itself.
  public var call: (call: FunctionCallExprSyntax, label: String?)? {
    guard let parent else { return nil }
    if let argument = parent.as(LabeledExprSyntax.self),
      let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
    {
      return (call, argument.label?.text)
    }
    if let call = parent.as(FunctionCallExprSyntax.self), call.trailingClosure?.id == id {
      return (call, nil)
    }
    if let element = parent.as(MultipleTrailingClosureElementSyntax.self),
      let call = element.parent?.parent?.as(FunctionCallExprSyntax.self)
    {
      return (call, element.label.text)
    }
    return nil
  }

  /// How the closure captures a name: "weak", "unowned", "strong" if the capture list names it, or
  /// `nil`.
  public func capture(of name: String) -> String? {
    guard
      let item = signature?.capture?.items.first(where: {
        $0.name.text == name || $0.initializer?.value.code == name
      })
    else { return nil }
    return item.specifier?.specifier.text ?? "strong"
  }

  public var parameterNames: [String] {
    switch signature?.parameterClause {
    case .simpleInput(let list): list.map(\.name.text)
    case .parameterClause(let clause): clause.parameters.map { ($0.secondName ?? $0.firstName).text }
    case nil: []
    }
  }

  /// Whether the closure has an `await` that does not stand in a nested closure, or says `async`.
  public var isAsync: Bool {
    signature?.effectSpecifiers?.asyncSpecifier != nil || awaits(in: Syntax(statements))
  }
}

/// Whether code waits, apart from nested closures and functions.
public func awaits(in node: Syntax) -> Bool {
  if node.kind == .awaitExpr { return true }
  if let loop = node.as(ForStmtSyntax.self), loop.awaitKeyword != nil { return true }
  if let variable = node.as(VariableDeclSyntax.self),
    variable.modifiers.contains(where: { $0.name.text == "async" })
  {
    return true
  }
  for child in node.children(viewMode: .sourceAccurate) where child.kind != .token {
    if child.kind == .closureExpr || child.kind == .functionDecl { continue }
    if awaits(in: child) { return true }
  }
  return false
}

import SwiftSyntax

/// Whether a name stands for `self`: `self`, and a local constant that was made of `self`.
public func isSelf(_ name: String, at node: some SyntaxProtocol) -> Bool {
  if name == "self" { return true }
  return localDeclaration(of: name, at: node).map { isMadeOfSelf($0) } ?? false
}

func isMadeOfSelf(_ local: Syntax) -> Bool {
  if let binding = local.as(OptionalBindingConditionSyntax.self) {
    return binding.initializer.map { isSelfReference($0.value) } ?? false
  }
  if let binding = local.as(PatternBindingSyntax.self) {
    return binding.initializer.map { isSelfReference($0.value) } ?? false
  }
  if let capture = local.as(ClosureCaptureSyntax.self) {
    return capture.initializer.map { isSelfReference($0.value) } ?? false
  }
  return false
}

/// Whether an expression is `self`. Its text is not made, because it can be a whole closure.
private func isSelfReference(_ value: ExprSyntax) -> Bool {
  value.as(DeclReferenceExprSyntax.self)?.baseName.text == "self"
}

/// The local declaration that a name means at a node: a parameter, a binding, a capture or a local
/// function. `nil` means a member or a global name.
public func localDeclaration(of name: String, at node: some SyntaxProtocol) -> Syntax? {
  var child = Syntax(node)
  while let parent = child.parent {
    if let found = declared(name, in: parent, before: child) { return found }
    if declGroup(parent) != nil { return nil }
    child = parent
  }
  return nil
}

private func declared(_ name: String, in parent: Syntax, before child: Syntax) -> Syntax? {
  switch parent.kind {
  case .codeBlockItemList:
    // The names of a file's top level are no locals.
    if parent.parent?.kind == .sourceFile { return nil }
    var found: Syntax?
    for item in parent.cast(CodeBlockItemListSyntax.self) {
      if let function = item.item.as(FunctionDeclSyntax.self), function.name.text == name {
        return Syntax(function)
      }
      if item.position >= child.position { continue }
      if let variable = item.item.as(VariableDeclSyntax.self) {
        found = variable.bindings.first { binds($0.pattern, name) }.map { Syntax($0) } ?? found
      } else if let guarded = item.item.as(GuardStmtSyntax.self) {
        found = binding(name, in: guarded.conditions) ?? found
      }
    }
    return found
  case .ifExpr:
    let node = parent.cast(IfExprSyntax.self)
    if child.position == node.conditions.position
      || node.elseBody.map({ child.position >= $0.position }) == true
    {
      return nil
    }
    return binding(name, in: node.conditions)
  case .whileStmt:
    let node = parent.cast(WhileStmtSyntax.self)
    return child.position == node.conditions.position ? nil : binding(name, in: node.conditions)
  case .conditionElementList:
    for element in parent.cast(ConditionElementListSyntax.self) {
      if element.position >= child.position { return nil }
      if let found = binding(name, in: element) { return found }
    }
    return nil
  case .guardStmt: return nil
  case .forStmt:
    let node = parent.cast(ForStmtSyntax.self)
    return child.position > node.sequence.position && binds(node.pattern, name) ? Syntax(node) : nil
  case .switchCase:
    guard case .case(let label) = parent.cast(SwitchCaseSyntax.self).label else { return nil }
    return label.caseItems.first { binds($0.pattern, name) }.map { Syntax($0) }
  case .catchClause:
    let node = parent.cast(CatchClauseSyntax.self)
    if node.catchItems.isEmpty { return name == "error" ? parent : nil }
    return node.catchItems.first { $0.pattern.map { binds($0, name) } == true }.map { Syntax($0) }
  case .closureExpr:
    let signature = parent.cast(ClosureExprSyntax.self).signature
    if let capture = signature?.capture?.items.first(where: { $0.name.text == name && name != "self" }) {
      return Syntax(capture)
    }
    switch signature?.parameterClause {
    case .simpleInput(let list): return list.first { $0.name.text == name }.map { Syntax($0) }
    case .parameterClause(let clause):
      return clause.parameters.first { ($0.secondName ?? $0.firstName).text == name }.map { Syntax($0) }
    case nil: return name.hasPrefix("$") ? parent : nil
    }
  case .functionDecl: return parameter(name, parent.cast(FunctionDeclSyntax.self).signature)
  case .initializerDecl: return parameter(name, parent.cast(InitializerDeclSyntax.self).signature)
  case .subscriptDecl:
    return parent.cast(SubscriptDeclSyntax.self).parameterClause.parameters
      .first { ($0.secondName ?? $0.firstName).text == name }.map { Syntax($0) }
  case .accessorDecl:
    let node = parent.cast(AccessorDeclSyntax.self)
    let specifier = node.accessorSpecifier.text
    if let written = node.parameters?.name.text { return written == name ? parent : nil }
    return (specifier == "didSet" && name == "oldValue")
      || (["set", "willSet"].contains(specifier) && name == "newValue")
      ? parent : nil
  default: return nil
  }
}

private func parameter(_ name: String, _ signature: FunctionSignatureSyntax) -> Syntax? {
  signature.parameterClause.parameters.first { ($0.secondName ?? $0.firstName).text == name }.map {
    Syntax($0)
  }
}

private func binding(_ name: String, in conditions: ConditionElementListSyntax) -> Syntax? {
  conditions.lazy.compactMap { binding(name, in: $0) }.first
}

private func binding(_ name: String, in element: ConditionElementSyntax) -> Syntax? {
  switch element.condition {
  case .optionalBinding(let node): binds(node.pattern, name) ? Syntax(node) : nil
  case .matchingPattern(let node): binds(node.pattern, name) ? Syntax(node) : nil
  default: nil
  }
}

/// Whether a pattern binds a name.
func binds(_ pattern: PatternSyntax, _ name: String) -> Bool {
  if let identifier = pattern.as(IdentifierPatternSyntax.self) { return identifier.identifier.text == name }
  if pattern.kind == .wildcardPattern { return false }
  return boundNames(pattern).contains(name)
}

func boundNames(_ pattern: PatternSyntax) -> [String] {
  if let identifier = pattern.as(IdentifierPatternSyntax.self) { return [identifier.identifier.text] }
  // `case let .loaded(items)` and `case .loaded(let items)`.
  var names = pattern.descendants(IdentifierPatternSyntax.self).map(\.identifier.text)
  if let binding = pattern.as(ValueBindingPatternSyntax.self) {
    names += binding.descendants(PatternExprSyntax.self).flatMap { boundNames($0.pattern) }
  }
  return names
}

extension DeclReferenceExprSyntax {
  /// Whether the name is that of a called function, or says its labels: `load(id)`, `self.load(id)`,
  /// `load(for:)`. A property of this name is not read.
  var namesFunction: Bool {
    if argumentNames != nil { return true }
    let member = parent?.as(MemberAccessExprSyntax.self).flatMap { $0.declName.id == id ? $0 : nil }
    let callee = member.map { ExprSyntax($0) } ?? ExprSyntax(self)
    return callee.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == callee.id
  }
}

/// Whether a condition asks if the owner still lives, such as `guard let self`, and has the outcome
/// that it does not.
func ownerIsGone(_ node: Syntax, outcome: Int) -> Bool {
  guard let element = node.as(ConditionElementSyntax.self) else { return false }
  switch element.condition {
  case .optionalBinding(let binding):
    let value = binding.initializer?.value.code ?? binding.pattern.code
    return outcome == 0 && isSelf(value.filter { $0 != "`" }, at: element)
  case .expression(let node):
    let elements = node.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? []
    guard elements.count == 3, elements[2].is(NilLiteralExprSyntax.self),
      isSelf(elements[0].code, at: element)
    else { return false }
    return outcome == (elements[1].code == "==" ? 1 : 0)
  default: return false
  }
}

import SwiftSyntax

/// The target of the assignment whose value is an expression.
func assignmentTarget(of value: ExprSyntax) -> ExprSyntax? {
  guard let list = value.parent?.as(ExprListSyntax.self), list.parent?.is(SequenceExprSyntax.self) == true
  else {
    if let infix = value.parent?.as(InfixOperatorExprSyntax.self),
      infix.operator.is(AssignmentExprSyntax.self)
    {
      return infix.leftOperand
    }
    return nil
  }
  let elements = Array(list)
  guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self) || elements[1].code == "+=",
    elements[0].id != value.id
  else { return nil }
  return elements[0]
}

/// Whether a call makes a value: its callee is the name of a type.
func isInitializer(_ call: FunctionCallExprSyntax) -> Bool {
  let name = call.name
  if name == "init" { return true }
  return name.first?.isUppercase == true
}

/// The body of the function, initializer or accessor around a node.
func functionBody(around node: some SyntaxProtocol) -> CodeBlockItemListSyntax? {
  var list: CodeBlockItemListSyntax?
  for ancestor in node.ancestors {
    if let found = ancestor.as(CodeBlockItemListSyntax.self) { list = found }
    if declGroup(ancestor) != nil { break }
  }
  return list
}

/// The member of a type in whose declaration a node stands.
func member(around node: some SyntaxProtocol) -> DeclSyntax? {
  for ancestor in node.ancestors {
    if let item = ancestor.as(MemberBlockItemSyntax.self) { return item.decl }
    if declGroup(ancestor) != nil { return nil }
  }
  return nil
}

/// Whether a node is within the initial value of a static property, which lives as long as the app.
func isInStaticValue(_ node: some SyntaxProtocol) -> Bool {
  let variable = member(around: node)?.as(VariableDeclSyntax.self)
  return variable?.modifiers.contains { $0.name.text == "static" } == true
    && variable?.bindings.contains { binding in
      binding.initializer.map { $0.position <= node.position && node.position < $0.endPosition } == true
    } == true
}

/// The name of the function around a node: "deinit", "init", or that of a property for its
/// accessors.
func memberName(around node: some SyntaxProtocol) -> String {
  guard let member = member(around: node) else {
    return node.ancestor(FunctionDeclSyntax.self)?.name.text ?? ""
  }
  if let function = member.as(FunctionDeclSyntax.self) { return function.name.text }
  if member.is(InitializerDeclSyntax.self) { return "init" }
  if member.is(DeinitializerDeclSyntax.self) { return "deinit" }
  return member.as(VariableDeclSyntax.self)?.bindings.first?.pattern.code ?? ""
}

/// Whether a path ends with a call: it is returned, a `return` follows it, or it is the last statement
/// of its block.
func isLastStep(_ call: FunctionCallExprSyntax) -> Bool {
  for node in [Syntax(call)] + Array(call.ancestors) {
    if node.is(ReturnStmtSyntax.self) { return true }
    guard let item = node.as(CodeBlockItemSyntax.self) else { continue }
    let rest = item.parent?.as(CodeBlockItemListSyntax.self)?.first { $0.position > item.position }
    return rest.map { $0.item.is(ReturnStmtSyntax.self) } ?? true
  }
  return false
}

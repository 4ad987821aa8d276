import SwiftSyntax

/// A condition in a form that two spellings of it share, and the value of the form if the condition
/// holds.
func fact(of element: ConditionElementSyntax) -> (key: String, value: Bool)? {
  switch element.condition {
  case .optionalBinding(let node): return ((node.initializer?.value.code ?? node.pattern.code) + "?", true)
  case .expression(var node):
    var value = true
    while let negated = node.as(PrefixOperatorExprSyntax.self), negated.operator.text == "!" {
      node = negated.expression
      value.toggle()
    }
    let code = node.code
    if node.kind == .declReferenceExpr || node.kind == .memberAccessExpr { return (code, value) }
    if code.hasSuffix("== nil") { return (code.dropLast(6).filter { !$0.isWhitespace } + "?", !value) }
    if code.hasSuffix("!= nil") { return (code.dropLast(6).filter { !$0.isWhitespace } + "?", value) }
    if node.kind == .sequenceExpr, !awaits(in: Syntax(node)),
      node.descendants(FunctionCallExprSyntax.self).isEmpty
    {
      return (code, value)
    }
    return nil
  case .matchingPattern(let node): return resultFact(of: node)
  default: return nil
  }
}

/// Whether a local result is a success: `case .success(let value) = result`, and no `.failure`. A
/// pattern with a condition on the value says nothing if it does not match.
private func resultFact(of node: MatchingPatternConditionSyntax) -> (key: String, value: Bool)? {
  guard let subject = node.initializer.value.as(DeclReferenceExprSyntax.self),
    localDeclaration(of: subject.baseName.text, at: subject) != nil
  else { return nil }
  var words = node.pattern.code.split { !$0.isLetter && !$0.isNumber && !"._?".contains($0) }
  words.removeAll { ["let", "var"].contains($0) }
  guard let first = words.first, [".success", ".failure"].contains(first), words.count <= 2,
    words.dropFirst().allSatisfy({ word in word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } })
  else { return nil }
  return (subject.baseName.text + " case", first == ".success")
}

func repeatedConditions(in statements: CodeBlockItemListSyntax) -> Set<String> {
  var counts: [String: Int] = [:]
  for element in statements.descendants(ConditionElementSyntax.self) {
    if let fact = fact(of: element) { counts[fact.key, default: 0] += 1 }
  }
  return Set(counts.filter { $0.value > 1 }.keys)
}

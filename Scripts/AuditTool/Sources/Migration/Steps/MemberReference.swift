import Audit
import Foundation
import SwiftSyntax

/// A use of a stored property in the code of its type.
struct MemberReference {
  let name: String
  let node: DeclReferenceExprSyntax
  /// What stands before the name: nothing, `self.`, `self?.`.
  let prefix: String

  /// The initializer in whose statements the reference stands, apart from closures: there, property
  /// observers do not run.
  var initializer: InitializerDeclSyntax? {
    for node in node.ancestors {
      if node.is(ClosureExprSyntax.self) || node.is(FunctionDeclSyntax.self) { return nil }
      if let found = node.as(InitializerDeclSyntax.self) { return found }
    }
    return nil
  }

  /// The statement `name = value` that the reference begins, and its value.
  var assignment: (statement: CodeBlockItemSyntax, value: AssignedValue)? {
    let target = prefix.isEmpty ? ExprSyntax(node) : node.parent?.as(ExprSyntax.self)
    guard let elements = target?.parent?.as(ExprListSyntax.self), elements.first?.id == target?.id,
      let value = AssignedValue(elements),
      let statement = elements.parent?.parent?.as(CodeBlockItemSyntax.self)
    else { return nil }
    return (statement, value)
  }
}

/// The right side of an assignment, which the parser leaves in parts: `a`, `??` and `b` for `a ?? b`.
struct AssignedValue {
  let parts: [ExprSyntax]

  /// `nil` if the parts of an expression are not `name = value`.
  init?(_ elements: ExprListSyntax) {
    let all = Array(elements)
    guard all.count > 2, all[1].is(AssignmentExprSyntax.self),
      !all[2...].contains(where: { $0.is(AssignmentExprSyntax.self) })
    else { return nil }
    parts = Array(all[2...])
  }

  var code: String {
    let text = parts.map(\.description).joined()
    let start = parts[0].leadingTrivia.sourceLength.utf8Length
    let end = parts[parts.count - 1].trailingTrivia.sourceLength.utf8Length
    return String(decoding: text.utf8.dropFirst(start).dropLast(end), as: UTF8.self)
      .replacingOccurrences(of: "\r\n", with: "\n")
  }

  /// Whether the value is made of names and literals, so that it can be read in a later statement.
  var isPlain: Bool { parts.allSatisfy(isPlainPart) }
}

extension CodeBlockItemSyntax {
  /// Whether the statement only gives a property a plain value.
  var isPlainAssignment: Bool {
    guard let elements = item.as(SequenceExprSyntax.self)?.elements, let target = elements.first else {
      return false
    }
    return isPlainPart(target) && AssignedValue(elements)?.isPlain == true
  }
}

private func isPlainPart(_ part: ExprSyntax) -> Bool {
  if let choice = part.as(UnresolvedTernaryExprSyntax.self) { return isPlainPart(choice.thenExpression) }
  if let sign = part.as(PrefixOperatorExprSyntax.self) { return isPlainPart(sign.expression) }
  if let tuple = part.as(TupleExprSyntax.self) {
    return tuple.elements.allSatisfy { isPlainPart($0.expression) }
  }
  if let sequence = part.as(SequenceExprSyntax.self) { return sequence.elements.allSatisfy(isPlainPart) }
  return [
    .declReferenceExpr, .memberAccessExpr, .binaryOperatorExpr, .integerLiteralExpr, .booleanLiteralExpr,
    .stringLiteralExpr, .nilLiteralExpr, .floatLiteralExpr,
  ].contains(part.kind)
}

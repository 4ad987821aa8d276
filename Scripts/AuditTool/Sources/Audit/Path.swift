import SwiftSyntax

/// What an expression such as `self.cart.items` or `items[0]` refers to.
public struct Path: Hashable, Sendable {
  /// Whether the first name is a member of the type around the expression. Otherwise it is a local
  /// name or `self`.
  public let isMember: Bool
  public let names: [String]

  public var first: String { names[0] }
  public var last: String { names[names.count - 1] }
  public var text: String { names.joined(separator: ".") }

  public init(isMember: Bool, names: [String]) {
    self.isMember = isMember
    self.names = names
  }

  /// The path of an expression. Optional chaining, `!`, subscripts and `self` are left out.
  public init?(_ expression: ExprSyntax) {
    var names: [String] = []
    var node = expression
    while true {
      if let member = node.as(MemberAccessExprSyntax.self) {
        names.append(member.declName.baseName.text)
        guard let base = member.base else { return nil }
        node = base
      } else if let reference = node.as(DeclReferenceExprSyntax.self) {
        names.append(reference.baseName.text)
        break
      } else if let chained = node.as(OptionalChainingExprSyntax.self) {
        node = chained.expression
      } else if let forced = node.as(ForceUnwrapExprSyntax.self) {
        node = forced.expression
      } else if let subscripted = node.as(SubscriptCallExprSyntax.self) {
        node = subscripted.calledExpression
      } else if let tuple = node.as(TupleExprSyntax.self), tuple.elements.count == 1 {
        node = tuple.elements.first!.expression
      } else if let inout_ = node.as(InOutExprSyntax.self) {
        node = inout_.expression
      } else if let tried = node.as(TryExprSyntax.self) {
        node = tried.expression
      } else if let awaited = node.as(AwaitExprSyntax.self) {
        node = awaited.expression
      } else {
        return nil
      }
    }
    names.reverse()
    let local = names[0] == "self" ? nil : localDeclaration(of: names[0], at: node)
    if names[0] == "self" || local.map({ isMadeOfSelf($0) }) == true {
      if names.count == 1 {
        self.init(isMember: false, names: ["self"])
      } else {
        self.init(isMember: true, names: Array(names.dropFirst()))
      }
    } else {
      self.init(isMember: local == nil, names: names)
    }
  }
}

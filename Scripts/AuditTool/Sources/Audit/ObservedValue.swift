import SwiftSyntax

/// The old or the new value of a property, as its observers see it.
struct ObservedValue: Hashable {
  let property: String
  let isOld: Bool

  /// What an expression in `willSet` or `didSet` means: `oldValue`, `newValue`, the property itself,
  /// `$0` in `newValue.map { … }`, or a local name for one of them.
  init?(_ expression: ExprSyntax) {
    guard let observer = expression.ancestor(AccessorDeclSyntax.self),
      ["willSet", "didSet"].contains(observer.accessorSpecifier.text),
      let property = observer.ancestor(PatternBindingSyntax.self)?.pattern.code
    else { return nil }
    let isBefore = observer.accessorSpecifier.text == "willSet"
    var value = expression
    // A local name leads to another one a few times at most.
    for _ in 0..<5 {
      guard let path = Path(value), path.names.count == 1 else { return nil }
      var local = path.isMember ? nil : localDeclaration(of: path.first, at: value)
      while let binding = local?.as(OptionalBindingConditionSyntax.self), binding.initializer == nil {
        local = localDeclaration(of: path.first, at: binding)
      }
      guard let local else {
        guard path.first == property else { return nil }
        self.init(property: property, isOld: isBefore)
        return
      }
      if local.id == observer.id {
        self.init(property: property, isOld: !isBefore)
        return
      }
      guard let source = Self.source(of: local) else { return nil }
      value = source
    }
    return nil
  }

  private init(property: String, isOld: Bool) {
    self.property = property
    self.isOld = isOld
  }

  /// The expression whose value a local name gets.
  private static func source(of local: Syntax) -> ExprSyntax? {
    let value =
      local.as(OptionalBindingConditionSyntax.self)?.initializer?.value
      ?? local.as(PatternBindingSyntax.self)?.initializer?.value
    // `oldValue as? DetailViewController`
    if let value { return value.as(SequenceExprSyntax.self)?.elements.first ?? value }
    let closure = local.as(ClosureExprSyntax.self) ?? local.ancestor(ClosureExprSyntax.self)
    guard let call = closure?.call?.call, ["map", "flatMap"].contains(call.name) else { return nil }
    return call.receiver
  }
}

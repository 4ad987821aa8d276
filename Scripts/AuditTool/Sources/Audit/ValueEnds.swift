import SwiftSyntax

/// Functions that the system calls each time a screen appears or changes its layout.
let repeatedCalls: Set = [
  "viewWillAppear", "viewDidAppear", "viewIsAppearing", "didMoveToWindow", "didMoveToSuperview",
  "layoutSubviews",
  "viewDidLayoutSubviews", "viewWillLayoutSubviews", "prepareForReuse", "updateConstraints",
  "sceneDidBecomeActive",
  "applicationDidBecomeActive", "sceneWillEnterForeground", "applicationWillEnterForeground",
]

extension TypeInfo {
  /// All calls in the declaration and its extensions. Searches them at each access.
  var calls: [FunctionCallExprSyntax] { blocks.flatMap { $0.descendants(FunctionCallExprSyntax.self) } }

  /// The uses of a method such as `cancel` or `invalidate` on a member, each with the name of the
  /// function around it.
  func ends(of name: String, by methods: Set<String>) -> [(function: String, node: Syntax)] {
    blocks.flatMap { block in
      block.descendants(MemberAccessExprSyntax.self)
        .filter { methods.contains($0.declName.baseName.text) && isAbout(name, Syntax($0)) }
        .map { (memberName(around: $0), Syntax($0)) }
    }
  }

  /// Whether a statement around a node, or the property in whose accessor it stands, has a name.
  private func isAbout(_ name: String, _ node: Syntax) -> Bool {
    if memberName(around: node) == name { return true }
    for ancestor in node.ancestors {
      if ancestor.is(MemberBlockItemSyntax.self) { return false }
      guard ancestor.is(CodeBlockItemSyntax.self) || ancestor.is(ForStmtSyntax.self) else { continue }
      // A closure or a nested block has statements of its own.
      if let declared = ancestor.as(CodeBlockItemSyntax.self)?.item, declared.is(FunctionDeclSyntax.self) {
        return false
      }
      if names(ancestor, name) { return true }
    }
    return false
  }

  private func names(_ node: Syntax, _ name: String) -> Bool {
    if let statement = node.as(CodeBlockItemSyntax.self),
      statement.item.is(IfExprSyntax.self) || statement.item.is(ExpressionStmtSyntax.self),
      let branch = statement.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
    {
      return uses(Syntax(branch.conditions), name)
    }
    return uses(node, name)
  }

  private func uses(_ node: Syntax, _ name: String) -> Bool {
    node.descendants(DeclReferenceExprSyntax.self).contains { $0.baseName.text == name }
      || node.descendants(IdentifierPatternSyntax.self).contains { $0.identifier.text == name }
  }

  /// Whether the type ends a member at a time at which it still lives: in a function that is not
  /// its deinitializer and does more than to replace the member.
  func endsInTime(_ name: String, by methods: Set<String>, startedIn starter: String) -> Bool {
    ends(of: name, by: methods).contains { end in
      if end.function == "deinit" { return false }
      // The system calls these also when the view leaves its window.
      if ["didMoveToWindow", "willMove", "didMoveToSuperview"].contains(end.function) { return true }
      if end.function != starter { return !isOnlyForDeinit(end.function, starter) }
      return false
    }
  }

  /// Whether only the deinitializer and the function that starts the work again call a private function.
  private func isOnlyForDeinit(_ function: String, _ starter: String) -> Bool {
    guard let declared = functions[function]?.first,
      declared.modifiers.contains(where: { ["private", "fileprivate"].contains($0.name.text) })
    else { return false }
    if declared.attributes.contains(where: { $0.code.hasPrefix("@objc") || $0.code.hasPrefix("@IBAction") }) {
      return false
    }
    let callers = blocks.flatMap { $0.descendants(DeclReferenceExprSyntax.self) }
      .filter { $0.baseName.text == function }.map { memberName(around: $0) }
    return callers.allSatisfy { $0 == "deinit" || $0 == starter || $0 == function }
  }

  /// Whether the declaration shows that one object of the type lives as long as the app.
  var findsSharedObject: Bool {
    let owners: Set = [
      "UIApplicationDelegate", "NSApplicationDelegate", "WKApplicationDelegate", "WKExtensionDelegate", "App",
    ]
    if !owners.isDisjoint(with: inherited) { return true }
    if attributes.contains("main") || attributes.contains("UIApplicationMain") { return true }
    return properties.values.contains { property in
      property.isStatic
        && (["shared", "sharedInstance", "instance", "default", "standard", "current"].contains(property.name)
          || property.plainType == name)
    }
  }
}

/// Whether objects of the type around a node have references: a class, an actor, or an extension of
/// a class of the system.
func isObject(_ type: TypeInfo?) -> Bool {
  guard let type else { return false }
  if type.isReference { return true }
  return type.kind == .unknown
    && (type.name.hasPrefix("UI") || type.name.hasPrefix("NS") || type.name.hasSuffix("Controller"))
}

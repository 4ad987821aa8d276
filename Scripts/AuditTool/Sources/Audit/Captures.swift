import SwiftSyntax

extension ClosureExprSyntax {
  /// The place at which the closure retains `self`: an entry of its capture list, or a use of
  /// `self` in it or in a nested closure.
  ///
  /// `hasImplicitSelf` says that the closure may name members without `self.`, as the closure of a
  /// task does.
  func strongSelf(in project: Project, hasImplicitSelf: Bool = false) -> Syntax? {
    // In a static member, `self` is the type.
    if isInStaticMember(self) { return nil }
    for item in signature?.capture?.items ?? [] {
      let value = item.initializer?.value
      guard value.map({ $0.code == "self" }) ?? (item.name.text == "self") else { continue }
      if item.specifier == nil { return isWeakSelf(at: self) ? nil : Syntax(item) }
      if item.name.text == "self" { return nil }
    }
    let type = project.type(around: self)
    let isWeak = isWeakSelf(at: self)
    var found: Syntax?
    func search(_ node: Syntax) {
      for child in node.children(viewMode: .sourceAccurate) where found == nil && child.kind != .token {
        switch child.kind {
        case .closureCapture:
          let item = child.cast(ClosureCaptureSyntax.self)
          if item.initializer == nil, item.name.text == "self", !isWeak, !rebindsSelf(at: child) {
            found = child
          }
        case .superExpr:
          found = child
        case .declReferenceExpr:
          let reference = child.cast(DeclReferenceExprSyntax.self)
          if captures(reference, type, isWeak, hasImplicitSelf, project) { found = child }
        case .classDecl, .structDecl, .enumDecl, .actorDecl: continue
        default: break
        }
        if found == nil { search(child) }
      }
    }
    search(Syntax(statements))
    return found
  }

  private func captures(
    _ reference: DeclReferenceExprSyntax, _ type: TypeInfo?, _ isWeak: Bool, _ hasImplicitSelf: Bool,
    _ project: Project
  ) -> Bool {
    let name = reference.baseName.text
    if let member = reference.parent?.as(MemberAccessExprSyntax.self), member.declName.id == reference.id {
      return false
    }
    if reference.parent?.is(KeyPathPropertyComponentSyntax.self) == true { return false }
    if name == "self" {
      // Within a nested closure that captures `self` weakly, `self` is the weak reference.
      return !isWeak && !rebindsSelf(at: reference) && !isWeakSelf(at: reference, below: Syntax(self))
    }
    if let local = localDeclaration(of: name, at: reference) {
      let isOutside = local.position < position
      return isOutside && name.lowercased().contains("self") && isSelf(name, at: reference) && !isWeak
    }
    guard hasImplicitSelf, !isWeak, !isWeakSelf(at: reference, below: Syntax(self)), let type else {
      return false
    }
    if let property = project.property(name, of: type) { return !property.isStatic }
    return project.functions(name, of: type).contains { function in
      !function.modifiers.contains { ["static", "class"].contains($0.name.text) }
    }
  }

  /// Whether `self` at a node is a local name that the closure makes.
  private func rebindsSelf(at node: some SyntaxProtocol) -> Bool {
    guard let local = localDeclaration(of: "self", at: node) else { return false }
    // `guard let self` of a nested weak closure unwraps a reference that does not retain.
    return local.position > position && isWeakSelf(at: node, below: Syntax(self))
  }
}

/// Whether a node stands in a static function or property.
private func isInStaticMember(_ node: some SyntaxProtocol) -> Bool {
  let member = member(around: node)
  let modifiers =
    member?.as(FunctionDeclSyntax.self)?.modifiers ?? member?.as(VariableDeclSyntax.self)?.modifiers
  return modifiers?.contains { ["static", "class"].contains($0.name.text) } == true
}

/// Whether a name at a node is a weak or unowned `self`, because of a closure around the node.
///
/// - Parameter limit: The closure at which the search ends.
func isWeakSelf(at node: some SyntaxProtocol, below limit: Syntax? = nil) -> Bool {
  for ancestor in node.ancestors {
    if ancestor.id == limit?.id || declGroup(ancestor) != nil { return false }
    guard let closure = ancestor.as(ClosureExprSyntax.self) else { continue }
    let item = closure.signature?.capture?.items.first { $0.name.text == "self" && $0.specifier != nil }
    guard item != nil else { continue }
    if limit == nil, let local = localDeclaration(of: "self", at: node), local.position > closure.position {
      return false
    }
    return true
  }
  return false
}

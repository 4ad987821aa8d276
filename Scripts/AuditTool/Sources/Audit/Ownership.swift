import SwiftSyntax

// Who keeps a value, and what a closure keeps.

// MARK: - What a closure captures

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

// MARK: - Who keeps a value

/// Who keeps what an expression gives.
enum Keeper: Hashable {
  /// The object itself, in a property, or through an object in the property.
  case own(String)
  /// An object that lives as long as the app.
  case shared(String)
  /// The result is not used.
  case discarded
  /// A local name, the caller or code that the project does not show.
  case elsewhere
}

/// Members that a screen has from its superclass and keeps.
private let inheritedMembers: Set = [
  "view", "tableView", "collectionView", "navigationItem", "contentView", "textLabel", "refreshControl",
  "tabBarItem",
  "imageView", "layer", "window", "accessoryView",
]
private let sharedMembers: Set = [
  "shared", "default", "standard", "sharedInstance", "instance", "main", "current",
]
private let storingMethods: Set = [
  "append", "insert", "add", "addSubview", "addArrangedSubview", "insertArrangedSubview", "addChild",
  "addAction",
  "addSublayer", "push", "enqueue", "setLayout", "addGestureRecognizer", "updateValue", "insertSubview",
  "addChildViewController",
]

/// Whether a path names a delegate or data source of another object, which that object does not
/// retain.
private func isWeakByConvention(_ path: Path) -> Bool {
  path.names.count > 1 && ["delegate", "datasource"].contains { path.last.lowercased().hasSuffix($0) }
}

extension Project {
  /// Who keeps the object that a receiver or an assigned property belongs to.
  func keeper(of expression: ExprSyntax) -> Keeper {
    guard let path = Path(expression) else {
      if let call = innermostReceiver(expression) { return keeper(of: call) }
      return .elsewhere
    }
    guard path.isMember else {
      return path.names == ["self"] ? .own("self") : localKeeper(path.first, at: expression)
    }
    let name = path.first
    if let type = type(around: expression), let property = property(name, of: type) {
      if property.isWeak { return .elsewhere }
      if property.isStatic { return .shared(name) }
      return property.isStored ? .own(name) : .elsewhere
    }
    if name.first?.isUppercase == true {
      return path.names.dropFirst().contains { sharedMembers.contains($0) } ? .shared(path.text) : .elsewhere
    }
    let code = expression.code
    let isExplicit = code.hasPrefix("self.") || code.hasPrefix("self?.") || code.hasPrefix("strongSelf.")
    if isExplicit || inheritedMembers.contains(name) { return .own(name) }
    return .elsewhere
  }

  /// The expression with which a chain of calls begins: `model.title` for `model.title.map { …
  /// }.bind`.
  private func innermostReceiver(_ expression: ExprSyntax) -> ExprSyntax? {
    var node = expression, isChain = false
    while true {
      if let member = node.as(MemberAccessExprSyntax.self), let base = member.base {
        node = base
      } else if let call = node.as(FunctionCallExprSyntax.self), let receiver = call.receiver {
        (node, isChain) = (receiver, true)
      } else if let chained = node.as(OptionalChainingExprSyntax.self) {
        node = chained.expression
      } else {
        break
      }
      if isChain, Path(node) != nil { return node }
    }
    return nil
  }

  /// Who keeps the object of a local name: a member if the function stores it there, or took it
  /// from there.
  private func localKeeper(_ name: String, at node: some SyntaxProtocol) -> Keeper {
    guard let declared = localDeclaration(of: name, at: node) else { return .elsewhere }
    if let binding = declared.as(PatternBindingSyntax.self), let value = binding.initializer?.value,
      Path(value)?.first != name,
      // A variable is a copy if the value is a list.
      binding.ancestor(VariableDeclSyntax.self)?.bindingSpecifier.text == "let",
      value.is(DeclReferenceExprSyntax.self) || value.is(MemberAccessExprSyntax.self)
    {
      let keeper = keeper(of: value)
      if keeper != .elsewhere { return keeper }
    }
    // `bind(to: viewModel)` gets the object that the property of the same name keeps.
    if declared.is(FunctionParameterSyntax.self), let type = type(around: node),
      let property = property(name, of: type),
      property.isStored, !property.isWeak,
      declared.cast(FunctionParameterSyntax.self).type.code.contains(property.plainType)
    {
      return .own(name)
    }
    if let unwrapped = declared.as(OptionalBindingConditionSyntax.self),
      let value = unwrapped.initializer?.value,
      let path = Path(value), path.isMember
    {
      return keeper(of: value)
    }
    guard let body = functionBody(around: node) else { return .elsewhere }
    for reference in body.descendants(DeclReferenceExprSyntax.self) where reference.baseName.text == name {
      guard
        localDeclaration(of: name, at: reference)?.id == declared.id || reference.position < declared.position
      else { continue }
      let value = ExprSyntax(reference)
      guard reference.parent?.is(MemberAccessExprSyntax.self) != true else { continue }
      if let target = assignmentTarget(of: value), let path = Path(target), path.isMember,
        !isWeakByConvention(path)
      {
        let keeper = keeper(of: target)
        if case .own = keeper { return keeper }
      }
      if let argument = reference.parent?.as(LabeledExprSyntax.self),
        let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
        storingMethods.contains(call.name)
      {
        guard let receiver = call.receiver else { return .own("self") }
        if Path(receiver)?.isMember == true || receiver.code == "self" {
          let keeper = keeper(of: receiver)
          if case .own = keeper { return keeper }
        }
      }
    }
    return .elsewhere
  }

  /// Who keeps what an expression gives: the target of the assignment, collection or wrapper around
  /// it.
  func destination(of expression: ExprSyntax) -> Keeper {
    var node = Syntax(expression)
    while let parent = node.parent {
      switch parent.kind {
      case .exprList:
        guard let target = assignmentTarget(of: ExprSyntax(node)!) else { return .elsewhere }
        if target.is(DiscardAssignmentExprSyntax.self) { return .discarded }
        if let path = Path(target), isWeakByConvention(path) { return .elsewhere }
        return keeper(of: target)
      case .initializerClause:
        guard let binding = parent.parent?.as(PatternBindingSyntax.self) else { return .elsewhere }
        if binding.pattern.is(WildcardPatternSyntax.self) { return .discarded }
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self) else { return .elsewhere }
        guard let variable = binding.ancestor(VariableDeclSyntax.self) else { return .elsewhere }
        if variable.parent?.is(MemberBlockItemSyntax.self) == true {
          return variable.modifiers.contains { ["static", "class"].contains($0.name.text) }
            ? .shared(name.identifier.text) : .own(name.identifier.text)
        }
        guard let scope = binding.ancestor(CodeBlockItemListSyntax.self) else { return .elsewhere }
        let uses = scope.descendants(DeclReferenceExprSyntax.self).filter {
          $0.baseName.text == name.identifier.text && $0.position > binding.endPosition
        }
        if uses.isEmpty { return .discarded }
        return localKeeper(name.identifier.text, at: uses[0])
      case .labeledExpr:
        guard let call = parent.parent?.parent?.as(FunctionCallExprSyntax.self) else { return .elsewhere }
        if storingMethods.contains(call.name), let receiver = call.receiver { return keeper(of: receiver) }
        if storingMethods.contains(call.name) { return .own("self") }
        guard isInitializer(call) else { return .elsewhere }
        node = Syntax(call)
      case .codeBlockItem:
        // The only expression of a closure or a getter is its result.
        return isResult(parent.cast(CodeBlockItemSyntax.self)) ? .elsewhere : .discarded
      case .tryExpr, .awaitExpr, .tupleExpr, .forceUnwrapExpr, .asExpr, .optionalChainingExpr: node = parent
      case .labeledExprList, .functionCallExpr: node = parent
      default: return .elsewhere
      }
    }
    return .elsewhere
  }

  private func isResult(_ item: CodeBlockItemSyntax) -> Bool {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
    if let function = list.parent?.parent?.as(FunctionDeclSyntax.self) {
      let result = function.signature.returnClause?.type.code ?? "Void"
      return result != "Void" && result != "()"
    }
    if let closure = list.parent?.as(ClosureExprSyntax.self) {
      return closure.use != .later && !isTask(closure)
    }
    return list.parent?.is(AccessorBlockSyntax.self) == true
  }

  private func isTask(_ closure: ClosureExprSyntax) -> Bool {
    if case .task = closure.use { true } else { false }
  }
}

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

extension Project {
  /// The name of the own method that an expression refers to, which retains `self`: `render` in
  /// `onChange = render`.
  func ownMethod(_ expression: ExprSyntax) -> String? {
    guard let path = Path(expression), path.names.count == 1, !isWeakSelf(at: expression),
      let type = type(around: expression)
    else { return nil }
    if !path.isMember {
      // A local function that uses `self`.
      guard let local = localDeclaration(of: path.first, at: expression)?.as(FunctionDeclSyntax.self),
        let body = local.body
      else { return nil }
      return body.descendants(DeclReferenceExprSyntax.self).contains { $0.baseName.text == "self" }
        ? path.first : nil
    }
    guard property(path.first, of: type) == nil else { return nil }
    let isMethod = functions(path.first, of: type).contains { function in
      !function.modifiers.contains { ["static", "class"].contains($0.name.text) }
    }
    return isMethod ? path.first : nil
  }
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

// MARK: - Where a value ends

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

import SwiftSyntax

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
      if let property = propertyMade(by: value) { return .own(property) }
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

  /// The lazy property whose initial value a returned local is: `lazy var menu = { …; return menu }()`.
  private func propertyMade(by value: ExprSyntax) -> String? {
    guard value.parent?.is(ReturnStmtSyntax.self) == true,
      let closure = value.ancestor(ClosureExprSyntax.self),
      let call = closure.parent?.as(FunctionCallExprSyntax.self),
      call.calledExpression.id == ExprSyntax(closure).id,
      let binding = call.parent?.parent?.as(PatternBindingSyntax.self),
      let variable = binding.ancestor(VariableDeclSyntax.self),
      variable.parent?.is(MemberBlockItemSyntax.self) == true,
      variable.modifiers.contains(where: { $0.name.text == "lazy" })
    else { return nil }
    return binding.pattern.code
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

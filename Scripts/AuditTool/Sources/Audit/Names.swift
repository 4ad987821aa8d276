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

/// Whether a name stands for `self`: `self`, and a local constant that was made of `self`.
public func isSelf(_ name: String, at node: some SyntaxProtocol) -> Bool {
  if name == "self" { return true }
  return localDeclaration(of: name, at: node).map { isMadeOfSelf($0) } ?? false
}

private func isMadeOfSelf(_ local: Syntax) -> Bool {
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

// MARK: - Calls

extension FunctionCallExprSyntax {
  /// The last name of the called function: `load` for `self.service.load(id)`.
  public var name: String {
    var callee = calledExpression
    if let specialized = callee.as(GenericSpecializationExprSyntax.self) { callee = specialized.expression }
    if let chained = callee.as(OptionalChainingExprSyntax.self) { callee = chained.expression }
    if let forced = callee.as(ForceUnwrapExprSyntax.self) { callee = forced.expression }
    return callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? callee.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
  }

  /// What stands before the last name: `self.service` for `self.service.load(id)`.
  public var receiver: ExprSyntax? {
    var callee = calledExpression
    if let specialized = callee.as(GenericSpecializationExprSyntax.self) { callee = specialized.expression }
    return callee.as(MemberAccessExprSyntax.self)?.base
  }

  /// The code of the callee without spaces and line ends: `DispatchQueue.main.async`.
  ///
  /// A long chain has only its last name, because its text is as long as all closures before it.
  public var callee: String {
    if let reference = calledExpression.as(DeclReferenceExprSyntax.self), reference.argumentNames == nil {
      return reference.baseName.text
    }
    if calledExpression.trimmedLength.utf8Length > 200 { return "." + name }
    return String(calledExpression.code.filter { !$0.isWhitespace })
  }

  /// All closures that are given to the call, with their labels.
  public var closures: [(label: String?, closure: ClosureExprSyntax)] {
    arguments.compactMap { argument in
      argument.expression.as(ClosureExprSyntax.self).map { (argument.label?.text, $0) }
    } + (trailingClosure.map { [(nil, $0)] } ?? [])
      + additionalTrailingClosures.map { ($0.label.text, $0.closure) }
  }

  public func argument(_ label: String?) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }
}

extension FunctionSignatureSyntax {
  /// Whether a function returns a token with which its caller cancels.
  var returnsToken: Bool {
    let type = returnClause?.type.code ?? ""
    return ["Token", "Cancellable"].contains { type.contains($0) }
  }
}

extension ClosureExprSyntax {
  /// The call to which the closure is given, and its label. `nil` if it is assigned, returned or
  /// called itself.
  public var call: (call: FunctionCallExprSyntax, label: String?)? {
    guard let parent else { return nil }
    if let argument = parent.as(LabeledExprSyntax.self),
      let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
    {
      return (call, argument.label?.text)
    }
    if let call = parent.as(FunctionCallExprSyntax.self), call.trailingClosure?.id == id {
      return (call, nil)
    }
    if let element = parent.as(MultipleTrailingClosureElementSyntax.self),
      let call = element.parent?.parent?.as(FunctionCallExprSyntax.self)
    {
      return (call, element.label.text)
    }
    return nil
  }

  /// How the closure captures a name: "weak", "unowned", "strong" if the capture list names it, or
  /// `nil`.
  public func capture(of name: String) -> String? {
    guard
      let item = signature?.capture?.items.first(where: {
        $0.name.text == name || $0.initializer?.value.code == name
      })
    else { return nil }
    return item.specifier?.specifier.text ?? "strong"
  }

  public var parameterNames: [String] {
    switch signature?.parameterClause {
    case .simpleInput(let list): list.map(\.name.text)
    case .parameterClause(let clause): clause.parameters.map { ($0.secondName ?? $0.firstName).text }
    case nil: []
    }
  }

  /// Whether the closure has an `await` that does not stand in a nested closure, or says `async`.
  public var isAsync: Bool {
    signature?.effectSpecifiers?.asyncSpecifier != nil || awaits(in: Syntax(statements))
  }
}

/// Whether code waits, apart from nested closures and functions.
public func awaits(in node: Syntax) -> Bool {
  if node.kind == .awaitExpr { return true }
  if let loop = node.as(ForStmtSyntax.self), loop.awaitKeyword != nil { return true }
  if let variable = node.as(VariableDeclSyntax.self),
    variable.modifiers.contains(where: { $0.name.text == "async" })
  {
    return true
  }
  for child in node.children(viewMode: .sourceAccurate) where child.kind != .token {
    if child.kind == .closureExpr || child.kind == .functionDecl { continue }
    if awaits(in: child) { return true }
  }
  return false
}

/// When a closure runs.
public enum ClosureUse: Hashable, Sendable {
  /// Exactly once, before the call returns: `withLock`, `sync`, `withCheckedContinuation`.
  case once
  /// Any number of times, before the call returns: `map`, `forEach`.
  case many
  /// In a new task.
  case task(isDetached: Bool)
  /// Later, or the closure is stored.
  case later
}

private let calledOnce: Set = [
  "withLock", "withLockUnchecked", "withLockIfAvailable", "sync", "withCheckedContinuation",
  "withCheckedThrowingContinuation", "withUnsafeContinuation", "withUnsafeThrowingContinuation",
  "withTaskGroup",
  "withThrowingTaskGroup", "withDiscardingTaskGroup", "withThrowingDiscardingTaskGroup",
  "withTaskCancellationHandler",
  "autoreleasepool", "withAnimation", "assumeIsolated", "performAndWait", "withObservationTracking",
  "withExtendedLifetime", "withMutation", "performWithoutAnimation", "withTransaction", "withUnsafeBytes",
  "withUnsafeMutableBytes", "withUnsafePointer", "withUnsafeMutablePointer", "synchronized",
  "withMemoryRebound",
  "withCriticalRegion", "whileLocked", "locked", "withLockVoid", "withValue", "Result",
]
private let calledOften: Set = [
  "forEach", "map", "flatMap", "compactMap", "filter", "reduce", "contains", "first", "last", "sort",
  "sorted",
  "allSatisfy", "min", "max", "firstIndex", "lastIndex", "removeAll", "drop", "prefix", "mapValues",
  "compactMapValues", "partition", "concurrentPerform", "lazy", "enumerated", "grouping", "mapError",
  "flatMapError",
  "filtered", "sorting", "index", "count", "split", "trimmingPrefix", "elementsEqual", "merge", "merging",
  "zip",
  "sum", "stride", "uniqued", "chunked", "enumerateObjects",
]

extension ClosureExprSyntax {
  public var use: ClosureUse {
    guard let (call, label) = call else {
      // `{ … }()`
      return parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == ExprSyntax(self).id
        ? .once : .later
    }
    let name = call.name
    if name == "sync",
      call.arguments.contains(where: { !["execute", "flags"].contains($0.label?.text ?? "") })
    {
      // `client.sync(account) { … }` is no queue.
      return .later
    }
    if calledOnce.contains(name) {
      if name == "withTaskCancellationHandler" { return label == "onCancel" ? .later : .once }
      if name == "withObservationTracking", label != nil { return .later }
      return .once
    }
    if name == "run", call.callee.hasSuffix("MainActor.run") { return .once }
    if calledOften.contains(name) || label == "grouping" { return combineOperators(call) ? .later : .many }
    if ["grouping", "uniquingKeysWith"].contains(label) || (name == "Dictionary" && label == "by") {
      return .many
    }
    if name == "Task" || (["init", "detached", "immediate"].contains(name) && call.callee.hasPrefix("Task")) {
      return .task(isDetached: name == "detached")
    }
    return .later
  }

  /// Whether a `map` or `filter` belongs to a publisher, and so runs for each of its values.
  private func combineOperators(_ call: FunctionCallExprSyntax) -> Bool {
    var node = call.receiver
    while let current = node {
      if let member = current.as(MemberAccessExprSyntax.self) {
        let name = member.declName.baseName.text
        if name.hasPrefix("$") || name.lowercased().hasSuffix("publisher") || name.hasSuffix("Subject") {
          return true
        }
        node = member.base
      } else if let inner = current.as(FunctionCallExprSyntax.self) {
        if ["debounce", "throttle", "removeDuplicates", "receive", "eraseToAnyPublisher", "combineLatest"]
          .contains(inner.name)
        {
          return true
        }
        if inner.name.lowercased().hasSuffix("publisher") { return true }
        node = inner.receiver
      } else {
        let code = current.code
        return code.hasPrefix("$") || code.lowercased().hasSuffix("publisher") || code.hasSuffix("Subject")
      }
    }
    return false
  }
}

extension Project {
  /// When a closure runs. A function of the own type, or of the type of a property, that does not let
  /// its parameter escape runs the closure in place.
  func use(of closure: ClosureExprSyntax) -> ClosureUse {
    let use = closure.use
    guard use == .later, let (call, label) = closure.call, let path = Path(call.calledExpression),
      path.names.count == 1 || path.names.count == 2 && path.isMember
    else { return use }
    let scope = type(around: call)
    let candidates =
      path.names.count == 2
      ? functions(
        path.last,
        of: property(path.first, of: scope).flatMap { type(named: $0.plainType, in: scope) })
      : path.isMember
        ? functions(path.first, of: scope)
        : [localDeclaration(of: path.first, at: call)?.as(FunctionDeclSyntax.self)].compactMap { $0 }
    guard candidates.count == 1 else { return use }
    let parameters = candidates[0].signature.parameterClause.parameters.filter {
      $0.type.code.contains("->")
    }
    let parameter =
      label == nil
      ? (parameters.count == 1 || call.trailingClosure?.id == closure.id ? parameters.last : nil)
      : parameters.first { $0.firstName.text == label }
    guard let parameter else { return use }
    let attributed = parameter.type.as(AttributedTypeSyntax.self)
    let isInPlace =
      (attributed?.baseType ?? parameter.type).is(FunctionTypeSyntax.self)
      && attributed.map { attributeNames($0.attributes).contains("escaping") } != true
    return isInPlace ? .once : use
  }
}

/// What isolates code.
public enum CodeIsolation: Hashable, Sendable {
  case mainActor
  case actor
  /// On a dispatch queue, with the code of the queue.
  case queue(String)
  /// On the main queue or in `DispatchQueue.main.async`, without the compiler's knowledge.
  case mainQueue
  /// Concurrently with other code.
  case concurrent
  /// Not known: a caller decides.
  case unknown
}

extension Project {
  /// The isolation of the code at a node, as its attributes, type and closures say.
  public func isolation(of node: some SyntaxProtocol) -> CodeIsolation {
    for node in node.ancestors {
      if let closure = node.as(ClosureExprSyntax.self) {
        if let list = closure.signature?.attributes, attributeNames(list).contains("MainActor") {
          return .mainActor
        }
        switch closure.use {
        case .once:
          guard let call = closure.call?.call else { continue }
          if call.callee == "MainActor.run" || call.callee == "MainActor.assumeIsolated" { return .mainActor }
          if call.name == "sync" {
            return call.callee == "DispatchQueue.main.sync" ? .mainQueue : .queue(call.receiver?.code ?? "")
          }
          if call.name.hasSuffix("TaskGroup") { continue }
          continue
        case .many:
          if closure.call?.call.name == "concurrentPerform" { return .concurrent }
          continue
        case .task(let isDetached):
          if isDetached { return .concurrent }
          continue
        case .later:
          guard let call = closure.call?.call else { return .unknown }
          if ["async", "asyncAfter", "asyncAndWait"].contains(call.name), let queue = call.receiver?.code {
            if queue == "DispatchQueue.main" || queue == ".main" { return .mainQueue }
            return queue.contains(".global(") ? .concurrent : .queue(queue)
          }
          if ["addTask", "addTaskUnlessCancelled"].contains(call.name) { return .concurrent }
          if ["addOperation", "addBarrierBlock"].contains(call.name), let queue = call.receiver?.code {
            return queue == "OperationQueue.main" ? .mainQueue : .queue(queue)
          }
          return .unknown
        }
      }
      if let function = node.as(FunctionDeclSyntax.self) {
        if attributeNames(function.attributes).contains("MainActor") { return .mainActor }
        if attributeNames(function.attributes).contains("concurrent") { return .concurrent }
        if function.modifiers.contains(where: { $0.name.text == "nonisolated" }) { return .unknown }
        if function.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }),
          type(around: function)?.isActor == true
        {
          return .unknown
        }
      }
      if let initializer = node.as(InitializerDeclSyntax.self) {
        if attributeNames(initializer.attributes).contains("MainActor") { return .mainActor }
        if initializer.modifiers.contains(where: { $0.name.text == "nonisolated" }) { return .unknown }
      }
      if node.is(DeinitializerDeclSyntax.self) { return .unknown }
      if let variable = node.as(VariableDeclSyntax.self),
        variable.parent?.is(MemberBlockItemSyntax.self) == true
      {
        if attributeNames(variable.attributes).contains("MainActor") { return .mainActor }
        if variable.modifiers.contains(where: { $0.name.text == "nonisolated" }) { return .unknown }
      }
      if let group = declGroup(node) {
        if group.kind == .extensionDecl, attributeNames(group.attributes).contains("MainActor") {
          return .mainActor
        }
        guard let type = info(of: group) else { return .unknown }
        if type.isActor { return .actor }
        return isMainActor(type) ? .mainActor : .unknown
      }
    }
    return .unknown
  }
}

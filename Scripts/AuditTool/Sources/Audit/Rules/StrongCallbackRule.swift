import SwiftSyntax

/// A closure that its own object stores, directly or through an object that it keeps, and that
/// retains the object.
struct StrongCallbackRule: Rule {
  let kind = "strong-self-callback"
  let consequence = "The screen stays in memory after it has closed, and its callbacks go on."
  let why = "The object keeps the closure and the closure keeps the object, so neither is ever released."
  let example = """
    final class CartViewController: UIViewController {
      let viewModel: CartViewModel
      override func viewDidLoad() {
        viewModel.onChange = { state in self.render(state) }
      }
    }
    """
  let repair = "`observe(on:_:)`, which passes the owner to the closure and holds it weakly; or `[weak self]`"
  let repaired = """
    observation = model.observe(on: self) { screen, state in screen.render(state) }
    """
  let section = "Retain cycles in callbacks"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for closure in file.all(ClosureExprSyntax.self)
    where closure.use == .later && project.use(of: closure) == .later {
      guard isObject(project.type(around: closure)), project.type(around: closure)?.livesWithApp == false,
        let (keeper, stored) = keeper(of: closure, project),
        let use = closure.strongSelf(in: project)
      else { continue }
      findings.append(
        finding(message(keeper), at: file.place(use, "retains `self`"), [file.place(stored, "stored here")]))
    }
    for sequence in file.all(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
        let type = project.type(around: sequence), isObject(type),
        let target = Path(elements[0]), target.names.count > 1 || target.isMember,
        let method = project.ownMethod(elements[2])
      else { continue }
      let keeper = project.keeper(of: elements[0])
      guard isCycle(keeper), !isCleared(elements[0], type) else { continue }
      findings.append(
        finding(
          "`\(method)` uses `self`, so `\(target.text)` retains `self`",
          at: file.place(elements[2], "retains `self`"),
          [file.place(elements[0], "stored here")]))
    }
    for call in file.all(FunctionCallExprSyntax.self)
    where storesByName(call.name) && !belongsToOtherKind(call) {
      guard let receiver = call.receiver, isObject(project.type(around: call)),
        isCycle(project.keeper(of: receiver))
      else { continue }
      for argument in call.arguments {
        guard let method = project.ownMethod(argument.expression) else { continue }
        findings.append(
          finding(
            "`\(method)` uses `self`, so the closure that `\(receiver.code)` keeps retains `self`",
            at: file.place(argument, "retains `self`")))
      }
    }
    return findings
  }

  private func message(_ keeper: Keeper) -> String {
    switch keeper {
    case .own("self"): "the closure that the object stores retains `self`, so the two keep each other alive"
    case .own(let name):
      "the closure that `\(name)` keeps retains `self`, which keeps `\(name)`: neither is released"
    case .shared(let name): "`\(name)` lives as long as the app, and its closure retains `self`"
    default: "a stored closure retains `self`"
    }
  }

  private func isCycle(_ keeper: Keeper) -> Bool {
    switch keeper {
    case .own, .shared: true
    case .discarded, .elsewhere: false
    }
  }

  /// Who stores a closure, and the place at which it does. `nil` if the closure is not stored, or
  /// stored by another object.
  private func keeper(of closure: ClosureExprSyntax, _ project: Project) -> (Keeper, Syntax)? {
    let type = project.type(around: closure)
    if let target = assignmentTarget(of: ExprSyntax(closure)) {
      let keeper = project.keeper(of: target)
      if case .shared = keeper, type?.livesWithApp == true { return nil }
      guard isCycle(keeper), !isCleared(target, type) else { return nil }
      return (keeper, Syntax(target))
    }
    if let clause = closure.parent?.as(InitializerClauseSyntax.self),
      let variable = clause.ancestor(VariableDeclSyntax.self),
      variable.modifiers.contains(where: { $0.name.text == "lazy" }),
      variable.parent?.is(MemberBlockItemSyntax.self) == true
    {
      return (.own("self"), Syntax(variable))
    }
    if closure.parent?.is(InitializerClauseSyntax.self) == true {
      let keeper = project.destination(of: ExprSyntax(closure))
      guard case .own(let name) = keeper, !leaves(table: name, type),
        closure.ancestor(VariableDeclSyntax.self)?.parent?.is(MemberBlockItemSyntax.self) == false
      else { return nil }
      return (keeper, Syntax(closure))
    }
    guard let (call, _) = closure.call, !belongsToOtherKind(call) else { return nil }
    if isInitializer(call) {
      guard !calledInPlace.contains(call.name), call.receiver == nil || call.name == "init" else {
        return nil
      }
      let keeper = project.destination(of: ExprSyntax(call))
      guard case .own(let name) = keeper, !isCleared(name, type), keepsInInitializer(closure, project) else {
        return nil
      }
      return (keeper, Syntax(call))
    }
    guard stores(call, closure, project) else { return nil }
    guard let receiver = call.receiver else { return (.own("self"), Syntax(call)) }
    var keeper = project.keeper(of: receiver)
    if case .shared = keeper, type?.livesWithApp == true { return nil }
    // `chart = Chart().onTap { … }` keeps what it makes, if the method gives the object back.
    if let made = receiver.as(FunctionCallExprSyntax.self), isInitializer(made),
      let function = project.functions(call.name, of: project.type(named: made.name, in: type)).first,
      ["Self", made.name].contains(function.signature.returnClause?.type.code),
      case .own(let name) = project.destination(of: ExprSyntax(call))
    {
      keeper = .own(name)
    }
    return isCycle(keeper) ? (keeper, Syntax(call)) : nil
  }

  /// Whether the called method keeps its closure: its body shows it, or its name says it.
  private func stores(
    _ call: FunctionCallExprSyntax, _ closure: ClosureExprSyntax, _ project: Project
  ) -> Bool {
    let name = call.name
    var owner = project.type(around: call)
    if let receiver = call.receiver, receiver.code != "self" {
      guard let path = Path(receiver) else { return storesByName(name) }
      owner =
        path.isMember && path.names.count == 1
        ? project.property(path.first, of: owner).flatMap { project.type(named: $0.plainType, in: owner) }
        : nil
      // A list of closures.
      if ["append", "insert"].contains(name), path.isMember { return true }
    }
    let known = project.functions(name, of: owner).compactMap { function in
      function.body.map { (function, $0) }
    }
    guard !known.isEmpty else { return call.receiver == nil ? false : storesByName(name) }
    return known.contains { function, body in
      function.signature.parameterClause.parameters.contains { parameter in
        isClosure(parameter.type, owner, project)
          ? keeps((parameter.secondName ?? parameter.firstName).text, body, project) : false
      }
    }
  }

  /// Whether a parameter can be kept and is a closure, as far as its type shows it.
  private func isClosure(_ type: TypeSyntax, _ scope: TypeInfo?, _ project: Project) -> Bool {
    if type.code.contains("escaping") { return true }
    guard let type = type.as(OptionalTypeSyntax.self)?.wrappedType else { return false }
    let code = project.alias(type.code, in: scope) ?? type.code
    return code.contains("->") || closureNames.contains { code.hasSuffix($0) }
  }

  /// Whether the initializer that takes a closure keeps it, as far as the project shows it.
  private func keepsInInitializer(_ closure: ClosureExprSyntax, _ project: Project) -> Bool {
    guard let (call, label) = closure.call, let label,
      let made = project.type(named: call.name, in: project.type(around: call))
    else { return true }
    let bodies = made.initializers.compactMap { initializer -> (name: String, body: CodeBlockSyntax)? in
      let parameter = initializer.signature.parameterClause.parameters.first { $0.firstName.text == label }
      guard let parameter, let body = initializer.body else { return nil }
      return ((parameter.secondName ?? parameter.firstName).text, body)
    }
    return bodies.isEmpty
      || bodies.contains { name, body in
        body.descendants(DeclReferenceExprSyntax.self).contains { reference in
          // Everything but a call of the closure itself can keep it.
          guard reference.baseName.text == name else { return false }
          let called =
            reference.parent?.as(OptionalChainingExprSyntax.self).map { Syntax($0) } ?? Syntax(reference)
          return called.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id
            != called.as(ExprSyntax.self)?.id
        }
      }
  }

  private func keeps(_ name: String, _ body: CodeBlockSyntax, _ project: Project) -> Bool {
    body.descendants(DeclReferenceExprSyntax.self).contains { reference in
      guard reference.baseName.text == name else { return false }
      if let target = assignmentTarget(of: ExprSyntax(reference)), let path = Path(target) {
        return path.isMember
      }
      guard
        let call = reference.parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(
          FunctionCallExprSyntax.self)
      else { return false }
      if ["append", "insert", "updateValue"].contains(call.name) { return true }
      guard isInitializer(call), call.name != "Task" else { return false }
      // What another object gets, such as an alert, is not kept by this one.
      if case .own = project.destination(of: ExprSyntax(call)) { return true }
      return false
    }
  }

  private func storesByName(_ name: String) -> Bool {
    let prefixes = [
      "bind", "observe", "subscribe", "listen", "watch", "register", "when", "addObserver", "addListener",
      "addHandler",
    ]
    if prefixes.contains(where: { name.hasPrefix($0) }) { return true }
    if name.hasPrefix("on"), name.dropFirst(2).first?.isUppercase == true { return true }
    let isSetter = name.hasPrefix("set") || name.hasPrefix("add")
    return isSetter
      && ["Handler", "Callback", "Closure", "Block", "Listener", "Observer", "Action"].contains {
        name.hasSuffix($0)
      }
      && !["setEventHandler", "setCancelHandler", "setRegistrationHandler"].contains(name)
  }

  /// Timers, key-value observation, publishers and notifications have kinds of their own.
  private func belongsToOtherKind(_ call: FunctionCallExprSyntax) -> Bool {
    if call.arguments.contains(where: {
      ["forName", "forInterval", "onNext", "withTimeInterval"].contains($0.label?.text ?? "")
    }) {
      return true
    }
    if call.name == "Timer"
      || call.name == "subscribe" && call.parent?.is(MemberAccessExprSyntax.self) == true
    {
      return true
    }
    return call.arguments.first?.expression.is(KeyPathExprSyntax.self) == true
  }

  /// Whether code of the type empties a property in time, which ends the cycle.
  private func isCleared(_ name: String, _ type: TypeInfo?) -> Bool {
    type?.blocks.contains { block in
      block.descendants(SequenceExprSyntax.self).contains { sequence in
        let elements = Array(sequence.elements)
        return elements.count == 3 && elements[2].is(NilLiteralExprSyntax.self)
          && Path(elements[0])?.names == [name]
          && memberName(around: sequence) != "deinit"
      }
    } == true
  }

  /// Whether closures wait in a table, and other code of the type takes each out of it.
  private func leaves(table name: String, _ type: TypeInfo?) -> Bool {
    type?.calls.contains { call in
      call.name == "removeValue" && memberName(around: call) != "deinit"
        && call.receiver.flatMap { Path($0) } == Path(isMember: true, names: [name])
    } == true
  }

  /// Whether other code of the type takes the closure away, which ends the cycle.
  private func isCleared(_ target: ExprSyntax, _ type: TypeInfo?) -> Bool {
    guard let type, let path = Path(target) else { return false }
    if target.is(SubscriptCallExprSyntax.self), path.names.count == 1, leaves(table: path.first, type) {
      return true
    }
    return type.blocks.contains { block in
      block.descendants(SequenceExprSyntax.self).contains { sequence in
        let elements = Array(sequence.elements)
        guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
          elements[2].is(NilLiteralExprSyntax.self),
          let other = Path(elements[0]), other.last == path.last, memberName(around: sequence) != "deinit"
        else { return false }
        return other.names.count > 1 || path.names.count == 1 && other.names.count == 1
      }
    }
  }
}

/// Initializers that call their closure before they return, or keep it only until it has run.
private let calledInPlace: Set = [
  "Task", "Result", "Array", "String", "Data", "AsyncStream", "AsyncThrowingStream",
  "UIGraphicsImageRenderer", "Dictionary",
  "Timer", "Future", "Deferred", "Set", "ContiguousArray", "Optional", "Thread", "Observable",
  "UIViewPropertyAnimator", "Binding",
  "AnyCancellable", "StateObject", "Lazy", "NSPredicate",
]

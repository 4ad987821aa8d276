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
    for closure in file.all(ClosureExprSyntax.self) where closure.use == .later {
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
      guard case .own = keeper,
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
      guard case .own(let name) = keeper, !isCleared(name, type) else { return nil }
      return (keeper, Syntax(call))
    }
    guard stores(call, closure, project) else { return nil }
    guard let receiver = call.receiver else { return (.own("self"), Syntax(call)) }
    let keeper = project.keeper(of: receiver)
    if case .shared = keeper, type?.livesWithApp == true { return nil }
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
        ? project.property(path.first, of: owner).flatMap { project.types[$0.plainType] } : nil
      // A list of closures.
      if ["append", "insert"].contains(name), path.isMember { return true }
    }
    let known = project.functions(name, of: owner).compactMap { function in
      function.body.map { (function, $0) }
    }
    guard !known.isEmpty else { return call.receiver == nil ? false : storesByName(name) }
    return known.contains { function, body in
      function.signature.parameterClause.parameters.contains { parameter in
        parameter.type.code.contains("escaping") || parameter.type.is(OptionalTypeSyntax.self)
          ? keeps((parameter.secondName ?? parameter.firstName).text, body) : false
      }
    }
  }

  private func keeps(_ name: String, _ body: CodeBlockSyntax) -> Bool {
    body.descendants(DeclReferenceExprSyntax.self).contains { reference in
      guard reference.baseName.text == name else { return false }
      if let target = assignmentTarget(of: ExprSyntax(reference)), let path = Path(target) {
        return path.isMember
      }
      guard
        let call = reference.parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(
          FunctionCallExprSyntax.self)
      else { return false }
      return ["append", "insert", "updateValue"].contains(call.name)
        || isInitializer(call) && call.name != "Task"
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

  /// Whether other code of the type takes the closure away, which ends the cycle.
  private func isCleared(_ target: ExprSyntax, _ type: TypeInfo?) -> Bool {
    guard let type, let path = Path(target) else { return false }
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

/// A timer or display link that keeps its own object.
struct StrongTimerRule: Rule {
  let kind = "strong-self-timer"
  let consequence =
    "The screen stays in memory after it has closed, and its timer fires for as long as the app runs."
  let why = """
    The run loop keeps a repeating timer, and the timer keeps its target and its block. A deinitializer that would stop the timer never \
    runs.
    """
  let example = """
    final class Countdown {
      var timer: Timer?
      func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in self.tick() }
      }
      deinit { timer?.invalidate() }
    }
    """
  let repair = "`[weak self]`, or `CallbackScheduler`; stop the timer when the screen disappears"
  let repaired = """
    timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in self?.tick() }
    """
  let section = "A cancel that does not cancel"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard let timer = TimerCall(call, project), let type = project.type(around: call), isObject(type),
        !type.livesWithApp,
        let use = timer.strongSelf(in: project), !timer.stopsItself, !isStopped(timer, type, project)
      else { return nil }
      return finding(
        "the \(timer.noun) keeps `self` alive until it is stopped, and `self` stops it only in its deinitializer or never",
        at: file.place(use, "retains `self`"), [file.place(call, "started here")])
    }
  }

  private func isStopped(_ timer: TimerCall, _ type: TypeInfo, _ project: Project) -> Bool {
    guard case .own(let name) = timer.keeper(in: project) else { return false }
    return type.endsInTime(name, by: ["invalidate", "cancel"], startedIn: memberName(around: timer.call))
  }
}

/// A timer that is never stopped.
struct RunningTimerRule: Rule {
  let kind = "running-timer"
  let consequence =
    "The timer fires for as long as the app runs, and each visit of the screen adds another one."
  let why =
    "The run loop keeps a repeating timer until `invalidate()`. To release the reference does not stop it."
  let example = """
    func start() {
      Timer.scheduledTimer(withTimeInterval: 10, repeats: true) { [weak self] _ in self?.refresh() }
    }
    """
  let repair = "store the timer and invalidate it when the screen disappears, or a loop in a `TaskSlot`"
  let repaired = """
    func start() {
      timer?.invalidate()
      timer = Timer.scheduledTimer(withTimeInterval: 10, repeats: true) { [weak self] _ in self?.refresh() }
    }
    deinit { timer?.invalidate() }
    """
  let section = "A cancel that does not cancel"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard let timer = TimerCall(call, project), timer.isRunLoop, !timer.stopsItself else { return nil }
      let type = project.type(around: call)
      guard type?.livesWithApp != true, timer.strongSelf(in: project) == nil || !isObject(type) else {
        return nil
      }
      let starter = memberName(around: call)
      switch timer.keeper(in: project) {
      case .discarded:
        return finding(
          "the repeating \(timer.noun) is not kept, so nothing can stop it",
          at: file.place(call, "started here"))
      case .own(let name):
        guard let type,
          project.property(name, of: type)?.isTimer != false
            || project.property(name, of: type)?.type == "Any?"
        else { return nil }
        let ends = type.ends(of: name, by: ["invalidate"])
        if ends.isEmpty {
          return finding(
            "`\(name)` is never invalidated, so the \(timer.noun) does not stop",
            at: file.place(call, "started here"))
        }
        let isReplaced = ends.contains { $0.function == starter || $0.function == name }
        let endsInTime = ends.contains { $0.function != "deinit" }
        guard repeatedCalls.contains(starter), !isReplaced, !endsInTime, !isGuarded(call, name) else {
          return nil
        }
        return finding(
          "each call of `\(starter)` starts one more \(timer.noun), and only the last one can be stopped",
          at: file.place(call, "started here"))
      case .shared, .elsewhere: return nil
      }
    }
  }

  /// Whether the timer starts only if there is none.
  private func isGuarded(_ call: FunctionCallExprSyntax, _ name: String) -> Bool {
    guard let body = functionBody(around: call) else { return false }
    return body.descendants(ConditionElementSyntax.self).contains { $0.code.contains("\(name) == nil") }
  }
}

/// A call that makes a repeating timer.
struct TimerCall {
  let call: FunctionCallExprSyntax
  let noun: String
  /// Whether the run loop keeps the timer.
  let isRunLoop: Bool
  private let block: ClosureExprSyntax?
  private let target: ExprSyntax?

  init?(_ call: FunctionCallExprSyntax, _ project: Project) {
    let name = call.name
    let labels = Set(call.arguments.compactMap { $0.label?.text })
    if name == "scheduledTimer"
      || (["Timer", "init"].contains(name) && (labels.contains("repeats") || labels.contains("fire")))
    {
      guard call.argument("repeats")?.code != "false" else { return nil }
      block = call.closures.first?.closure
      (noun, isRunLoop, target) = ("timer", true, call.argument("target"))
    } else if name == "CADisplayLink", let target = call.argument("target") {
      (noun, isRunLoop, block, self.target) = ("display link", true, nil, target)
    } else if ["setEventHandler", "setRegistrationHandler"].contains(name),
      let closure = call.closures.first?.closure,
      TimerCall.isTimerSource(call, project)
    {
      (noun, isRunLoop, block, target) = ("timer", false, closure, nil)
    } else {
      return nil
    }
    self.call = call
  }

  private static func isTimerSource(_ call: FunctionCallExprSyntax, _ project: Project) -> Bool {
    guard let receiver = call.receiver, let path = Path(receiver) else { return false }
    if path.isMember, let property = project.property(path.first, of: project.type(around: call)) {
      return property.isTimer || property.initialValue?.code.contains("makeTimerSource") == true
    }
    return localDeclaration(of: path.first, at: receiver)?.code.contains("makeTimerSource") == true
  }

  func strongSelf(in project: Project) -> Syntax? {
    if let target { return target.code == "self" && !isWeakSelf(at: target) ? Syntax(target) : nil }
    return block?.strongSelf(in: project)
  }

  func keeper(in project: Project) -> Keeper {
    if call.name == "setEventHandler", let receiver = call.receiver { return project.keeper(of: receiver) }
    if let binding = call.parent?.parent?.as(PatternBindingSyntax.self), isOnlyScheduled(binding) {
      return .discarded
    }
    return project.destination(of: ExprSyntax(call))
  }

  /// Whether a local timer is only added to a run loop or configured.
  private func isOnlyScheduled(_ binding: PatternBindingSyntax) -> Bool {
    guard let scope = binding.ancestor(CodeBlockItemListSyntax.self) else { return false }
    let name = binding.pattern.code
    return scope.descendants(DeclReferenceExprSyntax.self).allSatisfy { reference in
      guard reference.baseName.text == name, reference.position > binding.endPosition else { return true }
      if let member = reference.parent?.as(MemberAccessExprSyntax.self) {
        return ["tolerance", "fire", "add", "preferredFramesPerSecond"].contains(
          member.declName.baseName.text)
      }
      let outer = reference.parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(
        FunctionCallExprSyntax.self)
      return outer?.name == "add" && outer?.receiver?.code.contains("RunLoop") == true
    }
  }

  /// Whether the block invalidates its timer.
  var stopsItself: Bool {
    block?.descendants(MemberAccessExprSyntax.self).contains {
      ["invalidate", "cancel"].contains($0.declName.baseName.text)
    } == true
  }
}

/// A subscription that its own object keeps, and whose closures retain the object.
struct StrongSubscriptionRule: Rule {
  let kind = "strong-self-subscription"
  let consequence = "The screen stays in memory after it has closed, and goes on to react to values."
  let why =
    "The object keeps the subscription, the subscription keeps its closures, and a closure keeps the object."
  let example = """
    final class WalletModel {
      var cancellables = Set<AnyCancellable>()
      func follow(_ balances: AnyPublisher<Int, Never>) {
        balances.sink { value in self.show(value) }.store(in: &cancellables)
      }
    }
    """
  let repair = "`[weak self]`, or `StateStore` with `observe(on:_:)`"
  let repaired = """
    balances.sink { [weak self] value in self?.show(value) }.store(in: &cancellables)
    """
  let section = "Retain cycles in callbacks"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      let name = call.name
      guard
        [
          "sink", "subscribe", "drive", "emit", "bind", "assign", "observe", "addObserver",
          "setEventHandler", "setRegistrationHandler",
        ].contains(name),
        let type = project.type(around: call), isObject(type), !type.livesWithApp
      else { return nil }
      switch name {
      case "sink", "subscribe", "drive", "emit", "bind": return subscription(call, file, project)
      case "assign": return assignment(call, file, project)
      case "observe" where call.arguments.first?.expression.is(KeyPathExprSyntax.self) == true:
        return observation(call, file, project)
      case "addObserver" where call.argument("forName") != nil: return notification(call, type, file, project)
      case "setEventHandler", "setRegistrationHandler": return source(call, type, file, project)
      default: return nil
      }
    }
  }

  private func subscription(
    _ call: FunctionCallExprSyntax, _ file: SourceFile, _ project: Project
  ) -> Finding? {
    guard let name = storage(of: call, project), !endsByItself(call, name) else { return nil }
    var chain: ExprSyntax? = ExprSyntax(call)
    while let current = chain {
      if let step = current.as(FunctionCallExprSyntax.self) {
        if let argument = step.arguments.first(where: { project.ownMethod($0.expression) != nil }) {
          return finding(
            "`\(argument.expression.code)` uses `self`, so the subscription in `\(name)` retains `self`",
            at: file.place(argument, "retains `self`"))
        }
        for (_, closure) in step.closures {
          if let use = closure.strongSelf(in: project) {
            return finding(
              "the subscription in `\(name)` retains `self`, which keeps `\(name)`",
              at: file.place(use, "retains `self`"),
              [file.place(call.calledExpression, "subscribed here")])
          }
        }
        chain = step.receiver
      } else {
        chain = current.as(MemberAccessExprSyntax.self)?.base
      }
    }
    return nil
  }

  /// Whether the code expects an end, which releases the closures: a request, `first()`, or a
  /// closure that drops its subscription.
  private func endsByItself(_ call: FunctionCallExprSyntax, _ name: String) -> Bool {
    var steps = [call]
    while let receiver = steps.last?.receiver?.as(FunctionCallExprSyntax.self) { steps.append(receiver) }
    if steps.contains(where: { ["first", "prefix", "output", "dataTaskPublisher"].contains($0.name) }) {
      return true
    }
    let closures = call.closures
    if closures.contains(where: { closure in
      closure.closure.descendants(SequenceExprSyntax.self).contains { sequence in
        let elements = Array(sequence.elements)
        return elements.count == 3 && elements[2].is(NilLiteralExprSyntax.self)
          && Path(elements[0])?.last == name
      }
        || closure.closure.descendants(MemberAccessExprSyntax.self).contains {
          $0.declName.baseName.text == "cancel" && $0.base.flatMap { Path($0)?.last } == name
        }
    }) {
      return true
    }
    guard let root = steps.last?.receiver.flatMap({ Path($0) }), !root.last.hasPrefix("$"),
      !root.last.hasSuffix("ubject")
    else {
      return steps.count > 0 && hasCompletion(closures) && steps.last?.receiver == nil
    }
    return hasCompletion(closures)
  }

  private func hasCompletion(_ closures: [(label: String?, closure: ClosureExprSyntax)]) -> Bool {
    guard closures.count > 1, let completion = closures.first(where: { $0.label != "receiveValue" }) else {
      return false
    }
    return !completion.closure.statements.isEmpty
  }

  private func assignment(_ call: FunctionCallExprSyntax, _ file: SourceFile, _ project: Project) -> Finding?
  {
    guard let target = call.argument("on"), target.code == "self", !isWeakSelf(at: target),
      let name = storage(of: call, project)
    else { return nil }
    return finding(
      "`assign(to:on:)` retains `self`, which keeps the subscription in `\(name)`",
      at: file.place(call, "retains `self`"))
  }

  private func observation(_ call: FunctionCallExprSyntax, _ file: SourceFile, _ project: Project) -> Finding?
  {
    guard let closure = call.closures.first?.closure, let use = closure.strongSelf(in: project),
      let name = storage(of: call, project)
    else { return nil }
    return finding(
      "the observation in `\(name)` retains `self`, which keeps `\(name)`",
      at: file.place(use, "retains `self`"),
      [file.place(call, "observed here")])
  }

  private func notification(
    _ call: FunctionCallExprSyntax, _ type: TypeInfo, _ file: SourceFile, _ project: Project
  ) -> Finding? {
    guard !type.livesWithApp, let closure = call.closures.first?.closure,
      let use = closure.strongSelf(in: project)
    else { return nil }
    let removals = type.blocks.flatMap { $0.descendants(DeclReferenceExprSyntax.self) }
      .filter { $0.baseName.text == "removeObserver" && memberName(around: $0) != "deinit" }
    if !removals.isEmpty { return nil }
    return finding(
      "the notification center keeps the block until it is removed, and the block retains `self`",
      at: file.place(use, "retains `self`"),
      [file.place(call, "registered here")])
  }

  private func source(
    _ call: FunctionCallExprSyntax, _ type: TypeInfo, _ file: SourceFile, _ project: Project
  ) -> Finding? {
    guard TimerCall(call, project) == nil, let receiver = call.receiver,
      case .own(let name) = project.keeper(of: receiver),
      let closure = call.closures.first?.closure, let use = closure.strongSelf(in: project),
      !type.endsInTime(name, by: ["cancel"], startedIn: memberName(around: call))
    else { return nil }
    return finding(
      "the source in `\(name)` retains `self`, which keeps `\(name)`", at: file.place(use, "retains `self`"),
      [file.place(call, "stored here")])
  }

  /// The member that keeps a subscription: the target of the assignment, or of `store(in:)` and
  /// `disposed(by:)`.
  private func storage(of call: FunctionCallExprSyntax, _ project: Project) -> String? {
    var node = ExprSyntax(call)
    while let member = node.parent?.as(MemberAccessExprSyntax.self),
      let next = member.parent?.as(FunctionCallExprSyntax.self)
    {
      if ["store", "disposed", "cancelled"].contains(next.name) {
        guard let target = next.arguments.first?.expression, case .own(let name) = project.keeper(of: target)
        else { return nil }
        return name
      }
      node = ExprSyntax(next)
    }
    if case .own(let name) = project.destination(of: node) { return name }
    return nil
  }
}

/// An unowned `self` in a closure that can run after the release of its object.
struct UnownedSelfRule: Rule {
  let kind = "unowned-self"
  let consequence = "The app crashes if a person leaves the screen before the answer arrives."
  let why = "An unowned reference ends the process when it is used after the release of its object."
  let example = """
    final class InvoiceScreen {
      func load() {
        api.total { [unowned self] total in self.label.text = total }
      }
    }
    """
  let repair = "`[weak self]`, or `observe(on:_:)`"
  let repaired = """
    func load() {
      api.total { [weak self] total in self?.label.text = total }
    }
    """
  let section = "Weak self before a loop"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(ClosureExprSyntax.self).compactMap { closure in
      guard
        let item = closure.signature?.capture?.items.first(where: {
          $0.specifier?.specifier.text == "unowned" && $0.name.text == "self"
        }),
        isObject(project.type(around: closure))
      else { return nil }
      switch closure.use {
      case .once, .many: return nil
      case .task, .later: break
      }
      if dies(with: closure, project) { return nil }
      return finding(
        "`self` is unowned in a closure that can run after its release",
        at: file.place(item, "ends the process"))
    }
  }

  /// Whether the closure is released with `self`: `self` stores it, or keeps the subscription
  /// alone.
  private func dies(with closure: ClosureExprSyntax, _ project: Project) -> Bool {
    let type = project.type(around: closure)
    if let target = assignmentTarget(of: ExprSyntax(closure)), let path = Path(target) {
      guard path.isMember, let property = project.property(path.first, of: type) else { return false }
      return path.names.count == 1 || property.initialValue != nil && property.isLet
    }
    guard let call = closure.call?.call else { return true }
    if call.parent?.is(MemberAccessExprSyntax.self) == true
      || ["sink", "map", "filter", "flatMap"].contains(call.name)
    {
      return true
    }
    if isInitializer(call), call.name != "Task" { return true }
    return call.name == "observe" && call.arguments.first?.expression.is(KeyPathExprSyntax.self) == true
  }
}

import SwiftSyntax

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

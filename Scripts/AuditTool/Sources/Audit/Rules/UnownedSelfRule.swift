import SwiftSyntax

/// An unowned `self` in a closure that can run after the release of its object.
struct UnownedSelfRule: Rule {
  let kind = "unowned-self"
  let severities: [Severity] = [.hazard, .note]
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
      switch project.use(of: closure) {
      case .once, .many: return nil
      case .task, .later: break
      }
      if dies(with: closure, project) || isAwaited(closure) { return nil }
      return finding(
        "`self` is unowned in a closure that can run after its release",
        at: file.place(item, "ends the process"),
        // An object that this one keeps, or a view, usually has the closure.
        severity: isRequest(closure) ? .hazard : .note)
    }
  }

  /// Whether the closure is given to work that answers later: a task, a queue or a request.
  private func isRequest(_ closure: ClosureExprSyntax) -> Bool {
    if case .task = closure.use { return true }
    guard let (call, label) = closure.call else { return false }
    if ["async", "asyncAfter", "perform"].contains(call.name) { return true }
    guard let receiver = call.receiver, !isSelf(receiver.code, at: call) else { return false }
    return label.map { NameTable.completion.isIn($0) || NameTable.callback.isIn($0) } ?? true
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
  /// Whether the function around the closure waits until the closure has run: it awaits the call that
  /// gets the closure, a continuation that the closure resumes, or the group of a task. A suspended
  /// method keeps `self`.
  private func isAwaited(_ closure: ClosureExprSyntax) -> Bool {
    guard let (call, label) = closure.call else { return false }
    let isCallback = label.map { NameTable.completion.isIn($0) || NameTable.callback.isIn($0) } ?? false
    if isAwaited(call), !isCallback, !NameTable.observing.begins(call.name) {
      return isKept(around: call)
    }
    for ancestor in closure.ancestors {
      if ancestor.is(MemberBlockItemSyntax.self) || ancestor.is(FunctionDeclSyntax.self) { return false }
      guard let outer = ancestor.as(ClosureExprSyntax.self), let scope = outer.call?.call,
        scope.name.hasPrefix("with"), isAwaited(scope)
      else { continue }
      let name = outer.parameterNames.first ?? "$0"
      if scope.name.hasSuffix("Continuation"), resumes(closure, name) { return isKept(around: scope) }
      if scope.name.hasSuffix("TaskGroup"), call.name.hasPrefix("addTask"), call.receiver?.code == name {
        return isKept(around: scope)
      }
    }
    return false
  }

  /// Whether an `await` waits for a call, or for the value of the task that it makes.
  private func isAwaited(_ call: FunctionCallExprSyntax) -> Bool {
    for node in call.ancestors {
      switch node.kind {
      case .awaitExpr: return true
      case .memberAccessExpr, .tryExpr, .optionalChainingExpr, .forceUnwrapExpr: continue
      case .functionCallExpr where node.cast(FunctionCallExprSyntax.self).arguments.isEmpty: continue
      default: return false
      }
    }
    return false
  }

  /// Whether a closure resumes a continuation as its last step, after which it does not use `self`.
  private func resumes(_ closure: ClosureExprSyntax, _ name: String) -> Bool {
    let resumptions = closure.descendants(FunctionCallExprSyntax.self).filter {
      $0.name == "resume" && $0.receiver?.code == name
    }
    return !resumptions.isEmpty && resumptions.allSatisfy(isLastStep)
  }

  /// Whether the code around a call has a strong reference to `self`.
  private func isKept(around call: FunctionCallExprSyntax) -> Bool {
    for ancestor in call.ancestors {
      guard let closure = ancestor.as(ClosureExprSyntax.self) else { continue }
      if closure.capture(of: "self") == "unowned" { return false }
    }
    return true
  }
}

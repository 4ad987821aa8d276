import SwiftSyntax

/// Methods that end a task.
private let taskEnds: Set = ["cancel", "cancelAll"]

/// A task with a loop that does not end, seen from the object that starts it.
private struct LoopTask {
  let call: FunctionCallExprSyntax
  let closure: ClosureExprSyntax
  let keeper: Keeper
  let starter: String
  /// The loop, in the closure or in a method of the object that the closure calls.
  let loop: Syntax
  /// The call of the method that has the loop.
  let through: FunctionCallExprSyntax?

  init?(_ call: FunctionCallExprSyntax, _ project: Project) {
    guard let closure = call.closures.first?.closure, case .task = closure.use else { return nil }
    if let loop = endlessLoop(in: Syntax(closure.statements)) {
      (self.loop, through) = (loop, nil)
    } else {
      let called = closure.statements.descendants(FunctionCallExprSyntax.self).lazy.compactMap {
        inner -> (Syntax, FunctionCallExprSyntax)? in
        guard let path = Path(inner.calledExpression), path.names.count == 1, path.isMember else {
          return nil
        }
        let functions = project.functions(path.first, of: project.type(around: call))
        guard functions.count == 1, let body = functions[0].body, let loop = endlessLoop(in: Syntax(body))
        else { return nil }
        return (loop, inner)
      }
      guard let (loop, inner) = called.first else { return nil }
      (self.loop, through) = (loop, inner)
    }
    self.call = call
    self.closure = closure
    keeper = project.destination(of: ExprSyntax(call))
    starter = memberName(around: call)
  }

  var isStream: Bool { loop.is(ForStmtSyntax.self) }
}

/// A loop that goes on until its task is cancelled: over a stream, or one that waits and asks
/// again.
private func endlessLoop(in node: Syntax) -> Syntax? {
  for child in node.children(viewMode: .sourceAccurate) where child.kind != .token {
    switch child.kind {
    case .forStmt:
      let loop = child.cast(ForStmtSyntax.self)
      if loop.awaitKeyword != nil, !isFinite(loop.sequence) { return child }
    case .whileStmt:
      let loop = child.cast(WhileStmtSyntax.self)
      if awaits(in: Syntax(loop.body)), isEndless(loop.conditions) { return child }
    case .repeatStmt:
      let loop = child.cast(RepeatStmtSyntax.self)
      if awaits(in: Syntax(loop.body)), isPolling(loop.condition) { return child }
    case .closureExpr:
      // The closure of a nested task or of a callback runs by itself.
      if child.cast(ClosureExprSyntax.self).use != .once { continue }
    case .functionDecl: continue
    default: break
    }
    if let found = endlessLoop(in: child) { return found }
  }
  return nil
}

private func isEndless(_ conditions: ConditionElementListSyntax) -> Bool {
  conditions.count == 1
    && conditions.first.map { element in
      if case .expression(let condition) = element.condition { isPolling(condition) } else { false }
    } == true
}

/// Whether a condition is `true`, or a flag that another part has to change.
private func isPolling(_ condition: ExprSyntax) -> Bool {
  if condition.is(BooleanLiteralExprSyntax.self) { return condition.code == "true" }
  let code = condition.code
  return code.hasPrefix("!") && !code.contains("&&") && !code.contains("<") && !code.contains("isEmpty")
}

/// Sequences that end by themselves: a task group, and the bytes and lines of a file.
private func isFinite(_ sequence: ExprSyntax) -> Bool {
  let code = sequence.code
  let last = Path(sequence)?.last ?? sequence.as(FunctionCallExprSyntax.self)?.name ?? ""
  if ["lines", "bytes", "characters", "unicodeScalars", "group", "taskGroup", "results", "pages"].contains(
    last)
  {
    return true
  }
  return code.lowercased().hasSuffix("group")
}

/// A task that goes on after its object has gone, because nothing cancels it or the loop does not
/// listen.
struct UnstoredTaskRule: Rule {
  let kind = "unstored-task"
  let consequence =
    "A screen that has closed goes on to load and to listen, and each visit adds one more loop."
  let why =
    "A task does not end with the object that starts it. It ends with its last statement, or if it is cancelled and listens."
  let example = """
    final class CourierModel {
      func start() {
        Task {
          while true {
            position = try? await api.position()
            try? await Task.sleep(for: .seconds(5))
          }
        }
      }
    }
    """
  let repair = "`TaskSlot` or `TaskBag`, which cancel with their owner"
  let repaired = """
    func start() {
      slot.run { [weak self, api] in
        while !Task.isCancelled {
          self?.position = try? await api.position()
          try await Task.sleep(for: .seconds(5))
        }
      }
    }
    """
  let section = "Stale results"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for call in file.all(FunctionCallExprSyntax.self) {
      guard let task = LoopTask(call, project) else { continue }
      if let found = check(task, file, project) { findings.append(found) }
    }
    findings += deafLoops(file, project)
    return findings
  }

  private func check(_ task: LoopTask, _ file: SourceFile, _ project: Project) -> Finding? {
    let type = project.type(around: task.call)
    guard let type, !type.livesWithApp, type.kind != .struct || project.isView(type) else { return nil }
    if task.isStream, isObject(type),
      StrongTaskRule().holder(of: task.closure, task.loop, task.through, project) != nil
    {
      return nil
    }
    let loop = file.place(task.loop, "loops here")
    switch task.keeper {
    case .discarded:
      if leavesWithOwner(task) { return nil }
      return finding(
        "the task loops until it is cancelled, and nothing keeps it to cancel it",
        at: file.place(task.call, "started here"), [loop])
    case .own(let name):
      guard let property = project.property(name, of: type), property.isTask || isCollection(property) else {
        return nil
      }
      let ends = type.ends(of: name, by: taskEnds)
      if ends.isEmpty {
        return leavesWithOwner(task)
          ? nil
          : finding(
            "`\(name)` is never cancelled, so its loop does not end",
            at: file.place(task.call, "started here"), [loop])
      }
      let isReplaced = ends.contains { $0.function == task.starter || $0.function == name }
      guard repeatedCalls.contains(task.starter), !isReplaced,
        !ends.contains(where: { $0.function != "deinit" })
      else { return nil }
      return finding(
        "each call of `\(task.starter)` starts one more loop, and only the last one can be cancelled",
        at: file.place(task.call, "started here"), [loop])
    case .shared, .elsewhere: return nil
    }
  }

  private func isCollection(_ property: Property) -> Bool { property.type.contains("Task<") }

  /// Whether the loop ends when `self` is gone: `guard let self else { return }` in the loop.
  private func leavesWithOwner(_ task: LoopTask) -> Bool {
    guard task.closure.capture(of: "self") == "weak" else { return false }
    return task.loop.descendants(GuardStmtSyntax.self).contains { guarded in
      guarded.conditions.contains { element in
        guard let binding = element.condition.as(OptionalBindingConditionSyntax.self) else { return false }
        return (binding.initializer?.value.code ?? binding.pattern.code) == "self"
      }
    }
  }

  /// Loops that a cancellation does not end: `while true` without an exit.
  private func deafLoops(_ file: SourceFile, _ project: Project) -> [Finding] {
    file.all(WhileStmtSyntax.self).compactMap { loop in
      guard loop.conditions.count == 1, loop.conditions.first?.code == "true", awaits(in: Syntax(loop.body)),
        !canLeave(loop)
      else { return nil }
      if project.type(around: loop)?.livesWithApp == true || isInStaticValue(loop) { return nil }
      // The start of the loop is reported if nothing keeps its task.
      if let call = loop.ancestor(ClosureExprSyntax.self)?.call?.call, let task = LoopTask(call, project),
        task.loop.id == loop.id,
        check(task, file, project) != nil
      {
        return nil
      }
      return finding(
        "the loop goes on after its task has been cancelled: it has no exit",
        at: file.place(loop, "loops here"))
    }
  }

  private func canLeave(_ loop: WhileStmtSyntax) -> Bool {
    func leaves(_ node: Syntax, _ isCaught: Bool, _ isNested: Bool) -> Bool {
      for child in node.children(viewMode: .sourceAccurate) where child.kind != .token {
        switch child.kind {
        case .closureExpr:
          if child.cast(ClosureExprSyntax.self).use == .once, leaves(child, isCaught, true) { return true }
          continue
        case .functionDecl: continue
        case .returnStmt, .throwStmt:
          if !isNested { return true }
        case .breakStmt:
          if !isNested,
            child.ancestors.first(where: { $0.is(SwitchExprSyntax.self) || $0.id == loop.id })?.id == loop.id
              || child.cast(BreakStmtSyntax.self).label != nil
          {
            return true
          }
        case .tryExpr:
          if !isCaught, child.cast(TryExprSyntax.self).questionOrExclamationMark == nil { return true }
        case .doStmt:
          let block = child.cast(DoStmtSyntax.self)
          if leaves(Syntax(block.body), !block.catchClauses.isEmpty || isCaught, isNested) { return true }
          for clause in block.catchClauses where leaves(Syntax(clause.body), isCaught, isNested) {
            return true
          }
          continue
        case .functionCallExpr:
          if ["fatalError", "preconditionFailure", "exit"].contains(
            child.cast(FunctionCallExprSyntax.self).name)
          {
            return true
          }
        default: break
        }
        if leaves(child, isCaught, isNested) { return true }
      }
      return false
    }
    return leaves(Syntax(loop.body), false, false)
  }
}

/// A task that keeps its object alive for as long as a loop waits.
struct StrongTaskRule: Rule {
  let kind = "strong-self-task"
  let consequence = "The screen stays in memory after it has closed, and goes on to show values."
  let why =
    "The loop waits for the next value, and what the task uses lives for as long. A deinitializer that would cancel the task never runs."
  let example = """
    final class CartScreen {
      var task: Task<Void, Never>?
      func follow() {
        task = Task { [weak self] in
          guard let self else { return }
          for await state in model.states() { render(state) }
        }
      }
    }
    """
  let repair = "`observe(on:_:)`, which unwraps a weak reference again for each value"
  let repaired = """
    observation = model.observe(on: self) { screen, state in screen.render(state) }
    """
  let section = "Weak self before a loop"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard let task = LoopTask(call, project), let type = project.type(around: call), isObject(type),
        !type.livesWithApp,
        let holder = holder(of: task.closure, task.loop, task.through, project)
      else { return nil }
      switch task.keeper {
      case .discarded:
        // A loop that asks again and again is reported as a task that nothing cancels.
        guard task.isStream else { return nil }
      case .own(let name):
        if type.endsInTime(name, by: taskEnds, startedIn: task.starter) { return nil }
        if let property = project.property(name, of: type), !property.isTask, !property.type.contains("Task<")
        {
          return nil
        }
        if !task.isStream, type.ends(of: name, by: taskEnds).isEmpty { return nil }
      case .shared, .elsewhere: return nil
      }
      return finding(
        "the task holds `self` for as long as the loop waits, so `self` is never released",
        at: file.place(holder, "retains `self`"),
        [file.place(task.loop, "waits here"), file.place(call, "started here")])
    }
  }

  /// The place at which the closure of a task takes hold of `self` for the whole loop.
  func holder(
    of closure: ClosureExprSyntax, _ loop: Syntax, _ through: FunctionCallExprSyntax?, _ project: Project
  ) -> Syntax? {
    let isWeak = isWeakSelf(at: closure.statements, below: nil)
    if !isWeak { return closure.strongSelf(in: project, hasImplicitSelf: true) }
    if let through { return Syntax(through) }
    // A strong local name around the loop.
    var child = loop
    while let parent = child.parent, child.id != closure.id {
      if let list = parent.as(CodeBlockItemListSyntax.self) {
        for item in list where item.position < child.position {
          if let guarded = item.item.as(GuardStmtSyntax.self), let found = strongName(guarded.conditions) {
            return found
          }
          if let variable = item.item.as(VariableDeclSyntax.self),
            let found = variable.bindings.first(where: {
              $0.initializer.map { ["self", "self!"].contains($0.value.code) } == true
            })
          {
            return Syntax(found)
          }
        }
      }
      if let branch = parent.as(IfExprSyntax.self), branch.body.id == child.id,
        let found = strongName(branch.conditions)
      {
        return found
      }
      child = parent
    }
    return nil
  }

  private func strongName(_ conditions: ConditionElementListSyntax) -> Syntax? {
    for element in conditions {
      guard let binding = element.condition.as(OptionalBindingConditionSyntax.self) else { continue }
      if (binding.initializer?.value.code ?? binding.pattern.code.filter { $0 != "`" }) == "self" {
        return Syntax(binding)
      }
    }
    return nil
  }
}

/// A task or a block that a deinitializer starts.
struct DeinitTaskRule: Rule {
  let kind = "task-in-deinit"
  let consequence =
    "The clean-up comes at an unknown time, after the next screen has begun, or the app crashes."
  let why = """
    A task outlives the deinitializer that starts it. It runs later than code that relies on it, and must not use `self`, which is gone.
    """
  let example = """
    final class Session {
      deinit {
        Task { await server.close(id) }
      }
    }
    """
  let repair = "an explicit `close()` that the owner calls, or `isolated deinit`"
  let repaired = """
    func close() async { await server.close(id) }
    """
  let section = "Stale results"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(DeinitializerDeclSyntax.self).flatMap { deinitializer -> [Finding] in
      guard let body = deinitializer.body else { return [] }
      var findings = starts(Syntax(body), file, project)
      for call in body.descendants(FunctionCallExprSyntax.self) {
        guard let path = Path(call.calledExpression), path.isMember, path.names.count == 1 else { continue }
        for function in project.functions(path.first, of: project.type(around: deinitializer)) {
          guard let body = function.body, function.root.id == deinitializer.root.id else { continue }
          findings += starts(Syntax(body), file, project)
        }
      }
      return findings
    }
  }

  private func starts(_ node: Syntax, _ file: SourceFile, _ project: Project) -> [Finding] {
    node.descendants(FunctionCallExprSyntax.self).compactMap { call in
      guard let closure = call.closures.first?.closure else { return nil }
      if case .task = closure.use {
        return finding(
          "the task starts in `deinit` and outlives the object", at: file.place(call, "started here"))
      }
      guard ["async", "asyncAfter", "addOperation", "perform"].contains(call.name),
        let use = closure.strongSelf(in: project)
      else { return nil }
      return finding(
        "the block uses `self` after `deinit` has released it", at: file.place(call, "scheduled here"),
        [file.place(use, "used here")])
    }
  }
}

import SwiftSyntax

/// `Date()` used to measure a duration.
struct WallClockRule: Rule {
  let kind = "wall-clock"
  let severity = Severity.note
  let consequence = "A measured time is wrong, or a timeout never ends, after the clock of the device is set."
  let why = "`Date()` follows the clock of the device, which a person and the network can set."
  let example = """
    let start = Date()
    await work()
    log(Date().timeIntervalSince(start))
    """
  let repair = "`ContinuousClock`, also as `any Clock<Duration>`, so that a test needs no waiting"
  let repaired = "log(await ContinuousClock().measure { await work() })"
  let section = "A cancel that does not cancel"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    guard ["Date", "CFAbsoluteTimeGetCurrent"].contains(where: { file.text.contains($0) }) else { return [] }
    var findings: [Finding] = []
    for call in file.all(FunctionCallExprSyntax.self)
    where call.name == "timeIntervalSince" || call.name == "distance" {
      // `Date().timeIntervalSince(start)` and `end.timeIntervalSince(start)`
      guard let receiver = call.receiver, let start = call.arguments.first?.expression, isNow(receiver, call),
        let begin = beginning(start, project)
      else { continue }
      findings.append(found(Syntax(call), begin, start.code, file))
    }
    for member in file.tree.descendants(MemberAccessExprSyntax.self)
    where member.declName.baseName.text == "timeIntervalSinceNow" {
      guard let base = member.base, let begin = beginning(base, project) else { continue }
      findings.append(found(Syntax(member), begin, base.code, file))
    }
    for sequence in file.all(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      for index in elements.indices.dropFirst().dropLast()
      where elements[index].as(BinaryOperatorExprSyntax.self)?.operator.text == "-" {
        guard isNow(elements[index - 1], sequence) || isStamp(elements[index - 1]),
          let begin = beginning(elements[index + 1], project)
        else { continue }
        findings.append(found(Syntax(elements[index - 1]), begin, elements[index + 1].code, file))
      }
    }
    // `let deadline = Date().addingTimeInterval(5)`, `while Date() < deadline`
    for sequence in file.all(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      guard elements.count == 3, let sign = elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text,
        ["<", ">", "<=", ">="].contains(sign)
      else { continue }
      for (now, limit) in [(elements[0], elements[2]), (elements[2], elements[0])] {
        guard isNow(now, sequence), let path = Path(limit), !path.isMember, path.names.count == 1,
          let local = localDeclaration(of: path.first, at: limit)?.as(PatternBindingSyntax.self),
          let value = local.initializer?.value.code,
          value.hasPrefix("Date().addingTimeInterval") || value.hasPrefix("Date.now.addingTimeInterval")
            || value.hasPrefix("Date() +") || value.hasPrefix("Date(timeIntervalSinceNow")
        else { continue }
        findings.append(found(Syntax(sequence), Syntax(local), path.first, file))
      }
    }
    return findings
  }

  private func found(_ node: Syntax, _ begin: Syntax, _ name: String, _ file: SourceFile) -> Finding {
    finding(
      "the duration since `\(name)` is measured with the clock of the device",
      at: file.place(node, "measured here"),
      [file.place(begin, "began here")])
  }

  private func isStamp(_ node: ExprSyntax) -> Bool {
    let code = node.code
    return code == "CFAbsoluteTimeGetCurrent()" || code.hasPrefix("Date().timeIntervalSince")
      || code.hasPrefix("Date.timeIntervalSince")
      || code.hasPrefix("Date.now.timeIntervalSince")
  }

  /// Whether an expression is the current time, or a local constant made of it.
  private func isNow(_ node: ExprSyntax, _ place: some SyntaxProtocol) -> Bool {
    let code = node.code
    if ["Date()", "Date.now", ".now", "Date.init()", "NSDate()"].contains(code) || isStamp(node) {
      return true
    }
    guard let path = Path(node), !path.isMember, path.names.count == 1,
      let local = localDeclaration(of: path.first, at: place)?.as(PatternBindingSyntax.self),
      let value = local.initializer?.value
    else { return false }
    return ["Date()", "Date.now"].contains(value.code) || isStamp(value)
  }

  /// Whether a value is the current time, or a local name of it.
  private func isCurrent(_ value: ExprSyntax) -> Bool { isNow(value, value) || value.code == "now" }

  /// Where the start of a measurement is taken, if an expression is one.
  private func beginning(_ node: ExprSyntax, _ project: Project) -> Syntax? {
    guard let path = Path(node) else { return nil }
    if !path.isMember {
      guard path.names.count == 1 else { return nil }
      if let local = localDeclaration(of: path.first, at: node) {
        if let binding = local.as(PatternBindingSyntax.self), let value = binding.initializer?.value,
          ["Date()", "Date.now", "NSDate()"].contains(value.code) || isStamp(value)
        {
          return Syntax(binding)
        }
        // `if let start = startedAt`
        if let binding = local.as(OptionalBindingConditionSyntax.self) {
          let name = binding.initializer.flatMap { Path($0.value) }?.last ?? binding.pattern.code
          return memberBeginning(name, node, project)
        }
      }
      return nil
    }
    return path.names.count == 1 ? memberBeginning(path.first, node, project) : nil
  }

  /// A property that is only ever set to the current time, by code that begins something.
  private func memberBeginning(_ name: String, _ node: some SyntaxProtocol, _ project: Project) -> Syntax? {
    guard let type = project.type(around: node), let property = project.property(name, of: type) else {
      return nil
    }
    if let value = property.initialValue, value.code == "Date()" || value.code == "Date.now" || isStamp(value)
    {
      return Syntax(property.declaration)
    }
    var found: Syntax?
    for block in type.blocks {
      for sequence in block.descendants(SequenceExprSyntax.self) {
        let elements = Array(sequence.elements)
        guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
          Path(elements[0]).map({ $0.isMember && $0.names == [name] }) == true
        else { continue }
        let code = elements[2].code
        if code == "nil" { continue }
        if code.hasSuffix("distantPast") { continue }
        guard isCurrent(elements[2]) else { return nil }
        found = Syntax(sequence)
      }
    }
    return found
  }
}

/// A delay that hopes that other work has ended.
struct AsyncAfterRule: Rule {
  let kind = "async-after"
  let severity = Severity.note
  let consequence = "On a slow device the work has not ended yet, and the screen shows the wrong thing."
  let why =
    "A delay says nothing about when other work ends, and a delayed block runs even if its reason is gone."
  let example = """
    service.save(item)
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { self.reload() }
    """
  let repair = "`await` the work itself, or its completion"
  let repaired = "try await service.save(item); reload()"
  let section = "A cancel that does not cancel"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    if file.imports("XCTest", "Testing") { return [] }
    var findings: [Finding] = []
    for call in file.all(FunctionCallExprSyntax.self) where call.name == "asyncAfter" {
      guard let closure = call.closures.first?.closure, isFixed(call) else { continue }
      if isDeliberate(call, closure) { continue }
      guard let before = beginning(before: Syntax(call)) else { continue }
      findings.append(
        finding(
          "the delayed block hopes that `\(before.name)` has ended",
          at: file.place(call, "waits for a fixed time"),
          [file.place(before.node, "begins the work")]))
    }
    for call in file.all(FunctionCallExprSyntax.self)
    where call.name == "sleep" && call.callee == "Task.sleep" {
      guard
        call.arguments.first?.expression.is(IntegerLiteralExprSyntax.self) == true
          || call.arguments.first?.expression.code.contains("(") == true
      else { continue }
      // In a loop the sleep polls, and a sleep at the beginning of a task delays it.
      if call.ancestors.contains(where: {
        $0.kind == .whileStmt || $0.kind == .forStmt || $0.kind == .repeatStmt || $0.kind == .catchClause
      }) {
        continue
      }
      guard let block = call.ancestor(CodeBlockItemListSyntax.self), let body = block.parent,
        !isDeliberate(call, body)
      else { continue }
      guard let before = beginning(before: Syntax(call)), !awaits(in: before.node), !isCovered(before.node)
      else { continue }
      findings.append(
        finding(
          "the sleep hopes that `\(before.name)` has ended", at: file.place(call, "waits for a fixed time"),
          [file.place(before.node, "begins the work")]))
    }
    return findings
  }

  private func isCovered(_ node: Syntax) -> Bool {
    node.ancestors.prefix(3).contains { $0.is(AwaitExprSyntax.self) }
  }

  private func isFixed(_ call: FunctionCallExprSyntax) -> Bool {
    guard let deadline = call.arguments.first?.expression else { return false }
    return deadline.descendants(FloatLiteralExprSyntax.self).count
      + deadline.descendants(IntegerLiteralExprSyntax.self).count > 0
  }

  private func isDeliberate(_ call: FunctionCallExprSyntax, _ body: some SyntaxProtocol) -> Bool {
    let function = call.ancestor(FunctionDeclSyntax.self)?.name.text ?? ""
    let names = [function] + body.descendants(DeclReferenceExprSyntax.self).map(\.baseName.text)
    if names.contains(where: NameTable.deliberate.isIn) { return true }
    // A check in the block asks whether the reason still holds.
    return body.descendants(ConditionElementSyntax.self).contains { element in
      if case .expression = element.condition { return !bindsSelf(Syntax(element)) }
      return false
    }
  }

  /// The last statement before a node that begins work which can still run.
  private func beginning(before node: Syntax) -> (node: Syntax, name: String)? {
    guard let item = node.ancestor(CodeBlockItemSyntax.self),
      let list = item.parent?.as(CodeBlockItemListSyntax.self)
    else { return nil }
    for earlier in list.reversed() where earlier.position < item.position {
      if let call = callOf(earlier) {
        let name = call.name
        guard
          NameTable.begins.begins(name) || name == "Task"
            || name == "async"
        else { continue }
        // A mutation of an array is done when it returns.
        if ["append", "insert", "remove", "removeAll", "update", "addSubview", "removeFromSuperview"]
          .contains(name), call.arguments.count < 2
        {
          continue
        }
        if name.hasPrefix("setNeeds") || name.hasPrefix("layoutIfNeeded") { continue }
        return (Syntax(call), name)
      }
    }
    return nil
  }

  private func callOf(_ item: CodeBlockItemSyntax) -> FunctionCallExprSyntax? {
    guard case .expr(var node) = item.item else { return nil }
    while true {
      if let tried = node.as(TryExprSyntax.self) {
        node = tried.expression
      } else if let chained = node.as(OptionalChainingExprSyntax.self) {
        node = chained.expression
      } else {
        return node.as(FunctionCallExprSyntax.self)
      }
    }
  }
}

/// A debounced work that the next input does not cancel.
struct WorkItemRule: Rule {
  let kind = "work-item"
  let consequence = "Each typed letter sends a request, and the answer to an old text can arrive last."
  let why = "A delayed block runs for each input, unless the next input cancels it."
  let example = """
    func textDidChange(_ text: String) {
      queue.asyncAfter(deadline: .now() + 0.3) { self.search(text) }
    }
    """
  let repair = "`debounced(for:)`, or `WorkItemDebouncer` in the closure stage"
  let repaired = "debouncer.submit { [weak self] in self?.search(text) }"
  let section = "A cancel that does not cancel"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for function in file.all(FunctionDeclSyntax.self) {
      // With a token, the caller cancels the work.
      guard let body = function.body, !function.signature.returnsToken else { continue }
      let calls = body.descendants(FunctionCallExprSyntax.self)
      // What follows walks the whole type.
      guard
        calls.contains(where: { ["asyncAfter", "scheduledTimer"].contains($0.name) || isDelayed($0) })
      else { continue }
      let isInput =
        NameTable.typing.isIn(function.name.text)
        || function.signature.parameterClause.parameters.contains { parameter in
          NameTable.typing.isIn(parameter.firstName.text + " " + (parameter.secondName?.text ?? ""))
        }
      let assignments = body.descendants(SequenceExprSyntax.self).filter {
        Array($0.elements).dropFirst().first?.is(AssignmentExprSyntax.self) == true
      }
      // Whether something of an earlier call is cancelled: here, or in a function that is called
      // here.
      let cancels = calls.contains { call in
        if ["cancel", "invalidate", "cancelAllOperations", "cancelPreviousPerformRequests", "suspend"]
          .contains(call.name)
        {
          // A cancel that comes after the replacement cancels the new work.
          let receiver = call.receiver.flatMap { Path($0) }
          return !assignments.contains { sequence in
            guard let target = Path(sequence.elements.first!), target.isMember, target == receiver else {
              return false
            }
            return sequence.position < call.position && sequence.elements.last?.code != "nil"
              && !sequence.descendants(FunctionCallExprSyntax.self).isEmpty
          }
        }
        guard let path = Path(call.calledExpression), path.isMember, path.names.count == 1 else {
          return false
        }
        return project.functions(path.first, of: project.type(around: call)).contains { inner in
          inner.descendants(FunctionCallExprSyntax.self).contains {
            ["cancel", "invalidate"].contains($0.name)
          }
        }
      }
      // A caller that cancels before it calls.
      let type = project.type(around: function)
      let callerCancels =
        type.map { type in
          type.functions.values.joined().contains { other in
            guard other.id != function.id else { return false }
            let inner = other.descendants(FunctionCallExprSyntax.self)
            return inner.contains { $0.name == function.name.text }
              && inner.contains { $0.name == "cancel" || $0.name == "invalidate" }
          }
        } == true
      if callerCancels { continue }
      // `didSet { oldValue?.cancel() }`, and a pending item that keeps a new one out.
      let isKept = assignments.contains { sequence in
        guard let path = Path(sequence.elements.first!), path.isMember,
          let property = project.property(path.first, of: project.type(around: function))
        else { return false }
        return property.accessors?.code.contains("cancel") == true
          || body.descendants(ConditionElementSyntax.self).contains {
            $0.code.contains("\(path.first) == nil") || $0.code.contains("\(path.first) != nil")
          }
      }
      if isKept { continue }
      for call in calls where call.name == "asyncAfter" {
        let work = call.argument("execute")
        let isItem = work.map { isWorkItem($0, project) } == true
        if isItem, !cancels, isStored(work!, project) || isInput {
          findings.append(
            finding(
              "the earlier work item is not cancelled, so each call runs its work",
              at: file.place(call, "schedules the work")))
        } else if !isItem, isInput, work == nil || work!.is(ClosureExprSyntax.self),
          let closure = call.closures.first?.closure, !isChecked(closure), !cancels, !followsWork(call)
        {
          findings.append(
            finding(
              "the delayed block of an earlier input is not cancelled",
              at: file.place(call, "schedules the work")))
        }
      }
      for call in calls
      where call.callee == "Timer.scheduledTimer" && isInput && !cancels
        && call.argument("repeats")?.code == "false"
      {
        findings.append(
          finding(
            "the timer of an earlier input is not invalidated", at: file.place(call, "schedules the work")))
      }
      // A task that sleeps first: `task = Task { try? await Task.sleep(…); search() }`.
      for call in calls where call.name == "Task" {
        guard let closure = call.closures.first?.closure, let first = closure.statements.first,
          first.item.descendants(WhileStmtSyntax.self).isEmpty, !first.item.is(WhileStmtSyntax.self),
          !first.item.is(ForStmtSyntax.self),
          first.item.trimmedDescription.contains("Task.sleep")
            || first.item.trimmedDescription.contains(".sleep(")
        else { continue }
        let isStored = call.parent?.as(ExprListSyntax.self)?.first.flatMap { Path($0) }?.isMember == true
        guard isInput || isStored else { continue }
        let code = first.item.trimmedDescription
        let swallows = code.contains("try?") && !code.contains("= nil")
        if !cancels {
          findings.append(
            finding(
              "the delayed task of an earlier input is not cancelled",
              at: file.place(call, "starts the delay")))
        } else if swallows, !closure.code.contains("isCancelled"), !closure.code.contains("checkCancellation")
        {
          findings.append(
            finding(
              "`try?` swallows the cancellation, so a cancelled task goes on at once",
              at: file.place(first, "ends early if cancelled")))
        }
      }
    }
    return findings
  }

  /// Whether a call starts a task whose first statement sleeps.
  private func isDelayed(_ call: FunctionCallExprSyntax) -> Bool {
    call.name == "Task"
      && call.closures.first?.closure.statements.first?.item.trimmedDescription.contains("sleep(") == true
  }

  private func isWorkItem(_ work: ExprSyntax, _ project: Project) -> Bool {
    guard let path = Path(work), path.names.count == 1 else { return work.code.hasPrefix("DispatchWorkItem") }
    if path.isMember {
      return project.property(path.first, of: project.type(around: work))?.isWorkItem == true
    }
    guard let local = localDeclaration(of: path.first, at: work) else { return false }
    if let parameter = local.as(FunctionParameterSyntax.self) {
      return parameter.type.code.hasPrefix("DispatchWorkItem")
    }
    let value =
      local.as(PatternBindingSyntax.self)?.initializer?.value
      ?? local.as(OptionalBindingConditionSyntax.self)?.initializer?.value
    return value?.code.hasPrefix("DispatchWorkItem") == true || value.map { isWorkItem($0, project) } == true
  }

  private func isStored(_ work: ExprSyntax, _ project: Project) -> Bool {
    guard let path = Path(work) else { return false }
    if path.isMember { return true }
    // `let item = DispatchWorkItem { … }; pending = item`
    guard let block = work.ancestor(CodeBlockItemListSyntax.self) else { return false }
    return block.descendants(SequenceExprSyntax.self).contains { sequence in
      let elements = Array(sequence.elements)
      return elements.count == 3 && elements[1].is(AssignmentExprSyntax.self) && elements[2].code == path.text
        && Path(elements[0])?.isMember == true
    }
  }

  /// Whether a delay comes after an await, and so delays the end of the work and not its beginning.
  private func followsWork(_ call: FunctionCallExprSyntax) -> Bool {
    let body = call.ancestor(ClosureExprSyntax.self)?.statements
    return body?.descendants(AwaitExprSyntax.self).contains { $0.position < call.position } == true
  }

  private func isChecked(_ closure: ClosureExprSyntax) -> Bool {
    closure.descendants(ConditionElementSyntax.self).contains { !bindsSelf(Syntax($0)) }
  }
}

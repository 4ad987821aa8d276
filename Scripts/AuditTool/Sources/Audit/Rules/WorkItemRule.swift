import SwiftSyntax

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

  private static let texts: Set = ["text", "query", "searchText", "searchQuery", "term", "keyword"]

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
      let isInput = isInput(function)
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

  /// Whether a function runs for each input. Of words such as `search`, which also name what a person
  /// does once, a text that the function gets or reads makes sure.
  private func isInput(_ function: FunctionDeclSyntax) -> Bool {
    let parameters = function.signature.parameterClause.parameters
    let texts = parameters.filter { parameter in
      ["String", "Text", "Search", "Query", "Notification"].contains { parameter.type.code.contains($0) }
    }
    func name(_ parameter: FunctionParameterSyntax) -> String {
      parameter.firstName.text + " " + (parameter.secondName?.text ?? "")
    }
    let title = function.name.text
    if NameTable.typing.isIn(title) || words(of: title).suffix(2) == ["did", "change"] { return true }
    if parameters.contains(where: { NameTable.typing.isIn(name($0)) }) { return true }
    if NameTable.lookup.isIn(title) { return !texts.isEmpty || readsText(function) }
    return texts.contains { NameTable.lookup.isIn(name($0)) }
  }

  private func readsText(_ function: FunctionDeclSyntax) -> Bool {
    function.body?.descendants(DeclReferenceExprSyntax.self).contains { reference in
      let member = reference.parent?.as(MemberAccessExprSyntax.self)
      let target = ExprSyntax(member) ?? ExprSyntax(reference)
      let elements = target.parent?.as(ExprListSyntax.self).map(Array.init) ?? []
      let isAssigned =
        elements.count > 1 && elements[0].id == target.id
        && elements[1].is(AssignmentExprSyntax.self)
      return !isAssigned && Self.texts.contains(reference.baseName.text)
    } == true
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

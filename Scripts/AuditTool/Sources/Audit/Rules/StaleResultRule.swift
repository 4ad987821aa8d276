import SwiftSyntax

/// The answer to an old request that is shown after the answer to a new one.
struct StaleResultRule: Rule {
  let kind = "stale-result"
  let severities: [Severity] = [.hazard, .note]
  let consequence = "The screen shows the answer to an earlier input."
  let why = "Each input starts a request, and the answers can arrive in any order."
  let example = """
    func search(_ query: String) {
      Task { results = try await service.results(for: query) }
    }
    """
  let repair = "`TaskSlot`, which never commits superseded work"
  let repaired = """
    func search(_ query: String) async {
      await slot.load(into: self) { [service] in try await service.results(for: query) }
    }
    """
  let section = "Stale results"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for closure in file.all(ClosureExprSyntax.self) {
      guard let (call, _) = closure.call, let starter = starter(of: closure),
        let type = project.type(around: closure), type.isReference || project.isView(type)
      else { continue }
      let isTask = if case .task = closure.use { true } else { false }
      // The closures of a view's body build views.
      if !isTask, closure.use != .later || project.isView(type) || isNoAnswer(closure) { continue }
      guard let input = input(closure, call, isTask, starter, type, project),
        let write = shownResult(closure, isTask, call, type, project)
      else { continue }
      if isProtected(closure, call, starter, type, project) { continue }
      let name = Path(write.target)?.text ?? write.target.code
      let isLikely = isChanging(starter, input, type, project)
      findings.append(
        finding(
          "the answer for `\(input)` is written to `\(name)` without a check that it is current",
          at: file.place(write.node, "shown here"),
          [file.place(call, isTask ? "starts a task for each input" : "starts a request for each input")],
          severity: isLikely ? .hazard : .note))
    }
    return findings
  }

  /// Whether a person changes the input while an answer is awaited, as far as names show: a search,
  /// a selection, a reused cell.
  private func isChanging(_ starter: Syntax, _ input: String, _ type: TypeInfo, _ project: Project) -> Bool {
    if starter.is(AccessorDeclSyntax.self) || starter.is(ClosureExprSyntax.self)
      || NameTable.input.isIn(input) || isChangedBefore(input, starter, type)
    {
      return true
    }
    if type.inherited.contains(where: { $0.hasSuffix("Cell") }) || type.name.hasSuffix("Cell") { return true }
    guard let function = starter.as(FunctionDeclSyntax.self) else { return false }
    return ([function.name] + function.signature.parameterClause.parameters.map(\.firstName)).contains {
      NameTable.changing.isIn($0.text)
    }
  }

  /// Whether a closure is called for what a person does, and not for an answer: one that an object
  /// is made with, or a callback such as `onTap`.
  private func isNoAnswer(_ closure: ClosureExprSyntax) -> Bool {
    guard let (call, label) = closure.call else { return false }
    if isInitializer(call) || writes(call) { return true }
    guard let label, !NameTable.completion.isIn(label), !NameTable.callback.isIn(label),
      !NameTable.outcome.isIn(label)
    else { return false }
    return words(of: label).first == "on" || NameTable.tap.isIn(label)
  }

  /// Whether a call changes what a service keeps, so that its answer is about the change and not
  /// about the current input.
  private func writes(_ call: FunctionCallExprSyntax) -> Bool {
    NameTable.write.begins(call.name) && !NameTable.read.isIn(call.name)
  }

  /// The function that an input calls.
  private func starter(of closure: ClosureExprSyntax) -> Syntax? {
    for node in closure.ancestors {
      if let outer = node.as(ClosureExprSyntax.self) {
        if ["onChange", "onReceive"].contains(outer.call?.call.name) { return Syntax(outer) }
        if outer.use != .once { return nil }
      }
      if let function = node.as(FunctionDeclSyntax.self) {
        return NameTable.action.begins(function.name.text) ? nil : Syntax(function)
      }
      // `didSet` of a query.
      if let accessor = node.as(AccessorDeclSyntax.self) {
        return accessor.accessorSpecifier.text == "didSet" ? Syntax(accessor) : nil
      }
      if declGroup(node) != nil { return nil }
    }
    return nil
  }

  /// The changing input that the request depends on: a parameter of the function, or a property
  /// such as a query.
  private func input(
    _ closure: ClosureExprSyntax, _ call: FunctionCallExprSyntax, _ isTask: Bool, _ starter: Syntax,
    _ type: TypeInfo, _ project: Project
  ) -> String? {
    // The arguments of the awaited calls, or of the call that takes the closure.
    var arguments: [ExprSyntax] = []
    if isTask {
      guard closure.isAsync else { return nil }
      for awaited in closure.statements.descendants(AwaitExprSyntax.self) {
        for inner in awaited.descendants(FunctionCallExprSyntax.self)
        where inner.callee != "Task.sleep" && !writes(inner) {
          arguments += inner.arguments.map(\.expression)
        }
      }
    } else {
      let name = call.name
      if name == "async", let queue = call.receiver?.code, queue != "DispatchQueue.main", queue != ".main" {
        // Work on a queue whose answer goes to the main queue.
        guard
          closure.descendants(FunctionCallExprSyntax.self).contains(where: {
            $0.callee == "DispatchQueue.main.async"
          })
        else { return nil }
        arguments = closure.statements.descendants(FunctionCallExprSyntax.self).map { ExprSyntax($0) }
      } else if [
        "async", "asyncAfter", "addObserver", "sink", "addOperation", "scheduledTimer", "animate", "map",
        "setEventHandler", "observe", "DispatchWorkItem", "UIAction", "UIAlertAction", "onReceive",
        "onChange", "register", "Timer", "Button", "notify", "bind",
      ].contains(name) {
        return nil
      }
      if name != "async" {
        arguments = call.arguments.map(\.expression).filter { !$0.is(ClosureExprSyntax.self) }
      }
      // `session.dataTask(with: request) { … }.resume()`
      guard !arguments.isEmpty else { return nil }
    }
    let inputs = inputs(in: arguments, starter, type, project)
    // The next page is asked for once, and belongs to the list that is shown.
    return inputs.contains(where: isPage) ? inputs.first(where: NameTable.input.isIn) : inputs.first
  }

  /// Whether an input says which part of a list is meant.
  private func isPage(_ name: String) -> Bool { NameTable.page.contains(name) }

  /// The changing inputs in the arguments of a request.
  private func inputs(
    in arguments: [ExprSyntax], _ starter: Syntax, _ type: TypeInfo, _ project: Project
  ) -> [String] {
    var inputs: [String] = []
    let function = starter.as(FunctionDeclSyntax.self)
    var parameters = Set(
      function?.signature.parameterClause.parameters.filter { !$0.type.code.contains("->") }.map {
        ($0.secondName ?? $0.firstName).text
      } ?? [])
    if let change = starter.as(ClosureExprSyntax.self) {
      // `.onChange(of: query) { _, new in … }`
      parameters.formUnion(change.parameterNames)
      let value = change.call?.call.argument("of").flatMap { Path($0) }
      if let value { parameters.insert(value.last) }
    }
    for argument in arguments {
      for reference in argument.descendantsAndSelf(DeclReferenceExprSyntax.self)
      where !reference.namesFunction {
        let name = reference.baseName.text
        if parameters.contains(name), !["sender", "animated", "completion", "_"].contains(name) {
          inputs.append(name)
          continue
        }
        if let local = localDeclaration(of: name, at: reference) {
          // `let url = url(for: query)`, `guard let text = searchBar.text`, `[query]`
          let value =
            local.as(PatternBindingSyntax.self)?.initializer?.value
            ?? local.as(OptionalBindingConditionSyntax.self)?.initializer?.value
          if let value,
            value.descendantsAndSelf(DeclReferenceExprSyntax.self).contains(where: {
              parameters.contains($0.baseName.text) || NameTable.input.isIn($0.baseName.text)
            })
          {
            inputs.append(name)
            continue
          }
          if local.is(ClosureCaptureSyntax.self),
            NameTable.input.isIn(name) || parameters.contains(name) || observed(starter) == name
          {
            inputs.append(name)
            continue
          }
          continue
        }
        if NameTable.input.isIn(name), let property = project.property(name, of: type), !property.isLet {
          inputs.append(name)
        } else if observed(starter) == name || isChangedBefore(name, starter, type) {
          inputs.append(name)
        }
      }
    }
    return inputs
  }

  /// Whether the `didSet` of a property calls the function that starts the request.
  private func isChangedBefore(_ name: String, _ starter: Syntax, _ type: TypeInfo) -> Bool {
    guard let function = starter.as(FunctionDeclSyntax.self)?.name.text,
      let property = type.properties[name], property.isStored
    else { return false }
    return property.accessors?.descendants(FunctionCallExprSyntax.self).contains { $0.name == function }
      == true
  }

  /// The property whose `didSet` a starter is.
  private func observed(_ starter: Syntax) -> String? {
    starter.is(AccessorDeclSyntax.self) ? starter.ancestor(PatternBindingSyntax.self)?.pattern.code : nil
  }

  /// The write of the answer to a property.
  private func shownResult(
    _ closure: ClosureExprSyntax, _ isTask: Bool, _ call: FunctionCallExprSyntax, _ type: TypeInfo,
    _ project: Project
  ) -> (node: Syntax, target: ExprSyntax)? {
    let firstAwait = closure.statements.descendants(AwaitExprSyntax.self).first
    for sequence in closure.statements.descendants(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self), let path = Path(elements[0]),
        path.isMember, !elements[0].is(SubscriptCallExprSyntax.self)
      else { continue }
      guard let property = project.property(path.first, of: type), !(property.isLet && path.names.count == 1)
      else { continue }
      if path.names.contains(where: NameTable.progress.isIn) { continue }
      if ["true", "false", "nil", "[]"].contains(elements[2].code)
        || elements[2].is(BooleanLiteralExprSyntax.self) || elements[2].is(IntegerLiteralExprSyntax.self)
        || elements[2].is(FloatLiteralExprSyntax.self) || elements[2].is(StringLiteralExprSyntax.self)
      {
        continue
      }
      if property.isTask { continue }
      if isTask {
        guard let firstAwait,
          sequence.endPosition > firstAwait.endPosition
            || sequence.descendants(AwaitExprSyntax.self).first != nil
        else { continue }
      }
      return (Syntax(sequence), elements[0])
    }
    // The answer is given to a screen: `output.show(result)`, `onHits?(hits)`.
    for inner in closure.statements.descendants(FunctionCallExprSyntax.self) {
      if isTask { guard let firstAwait, inner.position > firstAwait.endPosition else { continue } }
      guard let path = Path(inner.calledExpression), path.isMember,
        let first = project.property(path.first, of: type),
        path.names.count == 1
          ? first.isClosure
          : NameTable.shows.begins(path.last) && NameTable.screen.isIn(path.first)
      else { continue }
      if NameTable.progress.isIn(path.last) || NameTable.failure.isIn(path.last) { continue }
      let givesAnswer = inner.arguments.contains { argument in
        argument.expression.descendantsAndSelf(DeclReferenceExprSyntax.self).contains { reference in
          guard let local = localDeclaration(of: reference.baseName.text, at: reference) else { return false }
          return reference.baseName.text != "self" && local.position > closure.position
        }
      }
      if givesAnswer { return (Syntax(inner), inner.calledExpression) }
    }
    return nil
  }

  /// Whether a check, a cancellation or a generation keeps old answers out.
  private func isProtected(
    _ closure: ClosureExprSyntax, _ call: FunctionCallExprSyntax, _ starter: Syntax, _ type: TypeInfo,
    _ project: Project
  ) -> Bool {
    let code = closure.statements.code
    if code.contains("isCancelled") || code.contains("checkCancellation") { return true }
    for element in closure.statements.descendants(ConditionElementSyntax.self) {
      let text = element.code
      if (text.contains("==") || text.contains("===") || text.contains("!=")) && !text.contains("nil")
        && !text.contains("statusCode") && !text.contains("error")
      {
        return true
      }
    }
    // An earlier task or request is cancelled, or a second one does not begin.
    // A call that cannot throw does not end because it is cancelled.
    let answers = closure.statements.descendants(AwaitExprSyntax.self).filter {
      $0.expression.as(FunctionCallExprSyntax.self)?.callee != "Task.sleep"
    }
    let ignoresCancellation =
      !answers.isEmpty && answers.allSatisfy { $0.parent?.is(TryExprSyntax.self) != true }
    for inner in starter.descendants(FunctionCallExprSyntax.self) where !ignoresCancellation {
      if ["cancel", "cancelAll", "invalidateAndCancel", "cancelAllOperations"].contains(inner.name),
        inner.position < closure.position
      {
        return true
      }
      if let path = Path(inner.calledExpression), path.isMember, path.names.count == 1,
        inner.position < closure.position, words(of: path.first).contains("cancel")
      {
        return true
      }
    }
    // `private var request: Cancellable? { willSet { request?.cancel() } }`
    for sequence in starter.descendants(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self), let path = Path(elements[0]),
        path.isMember,
        sequence.position <= closure.position, sequence.endPosition >= closure.endPosition
      else { continue }
      if project.property(path.first, of: type)?.accessors?.code.contains("cancel") == true { return true }
    }
    let conditions = starter.descendants(ConditionElementSyntax.self).filter {
      $0.position < closure.position
    }
    return conditions.contains { element in
      element.code.contains("ask == nil")
        || element.descendants(DeclReferenceExprSyntax.self).contains {
          NameTable.busy.isIn($0.baseName.text)
        }
    }
  }
}

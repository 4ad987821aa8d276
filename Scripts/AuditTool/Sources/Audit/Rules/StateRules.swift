import SwiftSyntax

/// A flag such as `hasLoaded` that is set before the load, and stays set if the load fails.
struct LoadedBeforeAwaitRule: Rule {
  let kind = "loaded-before-await"
  let consequence =
    "After a failed or cancelled load the screen stays empty, and appearing again does not load."
  let why = "The flag says that the load has been done, but it has only begun."
  let example = """
    func appear() async {
      guard !hasLoaded else { return }
      hasLoaded = true
      items = (try? await service.items()) ?? []
    }
    """
  let repair = "a `Loadable`, which is loaded when there is a value"
  let repaired = "func appear() async { if store.value.items.value == nil { await load() } }"
  let section = "Reentrancy"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for function in file.all(FunctionDeclSyntax.self) {
      guard let body = function.body, let type = project.type(around: function) else { continue }
      let sequences = body.descendants(SequenceExprSyntax.self)
      for sequence in sequences {
        let elements = Array(sequence.elements)
        guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self), let path = Path(elements[0]),
          path.isMember, path.names.count == 1,
          isLoadedFlag(path.first, elements[2], type, project)
        else { continue }
        let name = path.first
        // Is the flag asked, and does a load follow?
        guard
          body.descendants(ConditionElementSyntax.self).contains(where: {
            $0.code.contains(name) && $0.position < sequence.position
          })
        else { continue }
        guard let load = firstLoad(after: sequence, in: body) else { continue }
        let resets = sequences.contains { other in
          let parts = Array(other.elements)
          return other.id != sequence.id && parts.count == 3 && parts[1].is(AssignmentExprSyntax.self)
            && Path(parts[0]).map { $0.isMember && $0.names == [name] } == true
            && parts[2].code != elements[2].code
        }
        if resets || isResetElsewhere(name, body, project, type) { continue }
        findings.append(
          finding(
            "`\(name)` is set before the load has succeeded, and a failure does not set it back",
            at: file.place(sequence, "set here"),
            [file.place(load, "can fail")]))
      }
    }
    return findings
  }

  private func isLoadedFlag(_ name: String, _ value: ExprSyntax, _ type: TypeInfo, _ project: Project) -> Bool
  {
    guard let property = project.property(name, of: type), !property.isLet else { return false }
    let lower = name.lowercased()
    let isBool = value.code == "true" && property.plainType == "Bool"
    let isState = [".loaded", ".ready", ".finished", ".done"].contains { value.code.hasSuffix($0) }
    let isDate = ["Date()", "Date.now", ".now", "now"].contains(value.code)
    if isDate {
      return ["loaded", "fetched", "refresh", "synced", "updated", "sync"].contains { lower.contains($0) }
    }
    if isState { return true }
    if value.code == "false" {
      return ["first", "needs", "should"].contains { lower.hasPrefix($0) }
        && ["load", "fetch", "sync", "refresh", "appear"].contains { lower.contains($0) }
    }
    guard isBool else { return false }
    if ["loading", "fetching", "refreshing", "inflight", "running", "busy", "syncing", "pending", "progress"]
      .contains(where: { lower.contains($0) })
    {
      return false
    }
    return [
      "load", "fetch", "initial", "sync", "refresh", "prepar", "bootstrap", "hydrat", "populat", "download",
      "ready", "setup", "configured", "started", "warm", "firsttime", "request", "restored", "imported",
    ]
    .contains { lower.contains($0) }
  }

  /// The first await or call with a closure after a node.
  private func firstLoad(after node: some SyntaxProtocol, in body: CodeBlockSyntax) -> Syntax? {
    let awaits = body.descendants(AwaitExprSyntax.self).filter { $0.position > node.position }.map {
      Syntax($0)
    }
    let closures = body.descendants(FunctionCallExprSyntax.self).filter { call in
      call.position > node.position
        && call.closures.contains {
          $0.closure.use == .later && !["async", "animate"].contains(call.name)
            && $0.closure.descendants(SequenceExprSyntax.self).count
              + $0.closure.descendants(SwitchExprSyntax.self).count > 0
        }
    }.map { Syntax($0) }
    return (awaits + closures).min { $0.position < $1.position }
  }

  /// Whether a function that the body calls sets the flag back.
  private func isResetElsewhere(
    _ name: String, _ body: CodeBlockSyntax, _ project: Project, _ type: TypeInfo
  ) -> Bool {
    body.descendants(FunctionCallExprSyntax.self).contains { call in
      guard let path = Path(call.calledExpression), path.isMember, path.names.count == 1 else { return false }
      return project.functions(path.first, of: type).contains { inner in
        inner.descendants(SequenceExprSyntax.self).contains { sequence in
          let parts = Array(sequence.elements)
          return parts.count == 3 && parts[1].is(AssignmentExprSyntax.self) && Path(parts[0])?.names == [name]
            && parts[2].code == "false"
        }
      }
    }
  }
}

/// An optimistic change that is undone by restoring what was there before.
struct BlindRollbackRule: Rule {
  let kind = "blind-rollback"
  let consequence = "If one change fails, other changes that were made in the meantime disappear, too."
  let why =
    "The rollback restores the whole value from before the request, also what other code has changed since."
  let example = """
    let old = items
    items.removeAll { $0.id == id }
    do { try await service.delete(id) } catch { items = old }
    """
  let repair = "`OptimisticChanges`, which takes back only the failed change"
  let repaired = "try await changes.apply(.delete(id)) { try await service.delete(id) }"
  let section = "Stale results"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings = inverse(file, project)
    for variable in file.all(VariableDeclSyntax.self) {
      guard let item = variable.parent?.parent?.as(CodeBlockItemListSyntax.self) else { continue }
      for binding in variable.bindings {
        guard let value = binding.initializer?.value, let path = Path(value), path.isMember,
          let property = project.property(path.first, of: project.type(around: variable)), !property.isLet,
          let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        else { continue }
        let assignments = item.descendants(SequenceExprSyntax.self).filter {
          $0.position > variable.position
            && $0.elements.last.flatMap { Path($0)?.names } == [name]
        }
        if assignments.isEmpty { continue }
        // The optimistic change.
        guard let change = firstChange(of: path, in: item, after: variable.endPosition) else { continue }
        for assignment in assignments {
          let elements = Array(assignment.elements)
          guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self), Path(elements[0]) == path,
            Path(elements[2])?.names == [name],
            assignment.position > change.position, follows(assignment, change, item),
            !isChecked(assignment, path, name)
          else { continue }
          findings.append(
            finding(
              "the rollback sets `\(path.text)` to what it was before the request, and loses later changes",
              at: file.place(assignment, "restores the old value"),
              [file.place(binding, "old value"), file.place(change, "optimistic change")]))
        }
      }
    }
    return findings
  }

  /// A change that is taken back by its inverse: `toggle`, or `insert` at the old index.
  private func inverse(_ file: SourceFile, _ project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard ["toggle", "insert"].contains(call.name), let path = call.receiver.flatMap({ Path($0) }),
        path.isMember,
        project.property(path.first, of: project.type(around: call))?.isLet == false,
        let body = call.ancestor(FunctionDeclSyntax.self)?.body
      else { return nil }
      let inverse = call.name == "toggle" ? "toggle" : "remove"
      if call.name == "insert", call.argument("at") == nil { return nil }
      // The change before the wait.
      guard
        let change = body.descendants(FunctionCallExprSyntax.self).first(where: {
          $0.name == inverse && $0.position < call.position && $0.id != call.id
            && $0.receiver.flatMap { Path($0) } == path
            && (inverse == "toggle" || $0.argument("at")?.code == call.argument("at")?.code)
        })
      else { return nil }
      guard follows(call, Syntax(change), body.statements), isFailure(call), isOnPath(Syntax(change), call),
        !isChecked(call, path, "")
      else { return nil }
      return finding(
        "the rollback changes `\(path.text)` back without asking whether it has changed in the meantime",
        at: file.place(call, "takes the change back"),
        [file.place(change, "optimistic change")])
    }
  }

  private func firstChange(
    of path: Path, in list: CodeBlockItemListSyntax, after position: AbsolutePosition
  ) -> Syntax? {
    var changes: [Syntax] = []
    for sequence in list.descendants(SequenceExprSyntax.self) where sequence.position >= position {
      let elements = Array(sequence.elements)
      guard elements.count >= 3 else { continue }
      let isAssignment =
        elements[1].is(AssignmentExprSyntax.self) || ["+=", "-=", "*="].contains(elements[1].code)
      if isAssignment, let target = Path(elements[0]), target.first == path.first, target.isMember {
        changes.append(Syntax(sequence))
      }
    }
    for call in list.descendants(FunctionCallExprSyntax.self) where call.position >= position {
      if let target = call.receiver.flatMap({ Path($0) }), target.isMember, target.first == path.first,
        [
          "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeValue", "toggle",
          "sort", "move", "swapAt", "update", "formUnion", "subtract",
        ].contains(call.name)
      {
        changes.append(Syntax(call))
      }
    }
    return changes.min { $0.position < $1.position }
  }

  /// Whether a node is in the branch of a condition or a `catch`, as the handling of a failure is.
  private func isFailure(_ node: some SyntaxProtocol) -> Bool {
    for ancestor in node.ancestors {
      if ancestor.is(CatchClauseSyntax.self) || ancestor.is(IfExprSyntax.self)
        || ancestor.is(GuardStmtSyntax.self) || ancestor.is(SwitchCaseSyntax.self)
      {
        return true
      }
      if ancestor.is(FunctionDeclSyntax.self) { return false }
    }
    return false
  }

  /// Whether the code of a rollback runs after a change: no closure that runs at another time has
  /// the change alone.
  private func isOnPath(_ change: Syntax, _ rollback: some SyntaxProtocol) -> Bool {
    for ancestor in change.ancestors {
      if let closure = ancestor.as(ClosureExprSyntax.self), closure.use != .once,
        rollback.position < closure.position || rollback.position >= closure.endPosition
      {
        return closure.call?.call.name == "withAnimation"
      }
    }
    return true
  }

  /// Whether a wait lies between the change and the rollback.
  private func follows(
    _ assignment: some SyntaxProtocol, _ change: Syntax, _ list: CodeBlockItemListSyntax
  ) -> Bool {
    if list.descendants(AwaitExprSyntax.self).contains(where: {
      $0.position > change.position && $0.position < assignment.position
    }) {
      return true
    }
    for node in assignment.ancestors {
      if node.id == list.id { return false }
      if let closure = node.as(ClosureExprSyntax.self), closure.use != .once, closure.use != .many,
        closure.position > change.position
      {
        return true
      }
    }
    return false
  }

  /// Whether a condition around the rollback, or before it in its block, asks about the current
  /// value or a token.
  private func isChecked(_ assignment: some SyntaxProtocol, _ path: Path, _ name: String) -> Bool {
    func asks(_ list: ConditionElementListSyntax) -> Bool {
      list.contains { element in
        let code = element.code
        return code.contains("==") && !code.contains("== nil") && !code.contains("== false")
          && !code.contains("== true") && !code.contains("error")
          || code.contains(path.last + " ") && code.contains("==")
      }
    }
    for node in assignment.ancestors {
      if let branch = node.as(IfExprSyntax.self), asks(branch.conditions) { return true }
      if let list = node.as(CodeBlockItemListSyntax.self) {
        for item in list where item.position < assignment.position {
          if let guarded = item.item.as(GuardStmtSyntax.self), asks(guarded.conditions),
            node.ancestor(CatchClauseSyntax.self) != nil || node.ancestor(ClosureExprSyntax.self) != nil,
            item.ancestor(CatchClauseSyntax.self)?.id == assignment.ancestor(CatchClauseSyntax.self)?.id
          {
            return true
          }
        }
      }
      if let clause = node.as(CatchClauseSyntax.self),
        clause.catchItems.contains(where: { $0.whereClause?.code.contains("==") == true })
      {
        return true
      }
      if node.is(FunctionDeclSyntax.self) { return false }
    }
    return false
  }
}

/// The answer to an old request that is shown after the answer to a new one.
struct StaleResultRule: Rule {
  let kind = "stale-result"
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
      if !isTask, closure.use != .later || project.isView(type) { continue }
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
    if starter.is(AccessorDeclSyntax.self) || Self.isInput(input) { return true }
    if type.inherited.contains(where: { $0.hasSuffix("Cell") }) || type.name.hasSuffix("Cell") { return true }
    guard let function = starter.as(FunctionDeclSyntax.self) else { return false }
    let words =
      ([function.name.text] + function.signature.parameterClause.parameters.map { $0.firstName.text }).joined(
        separator: " "
      ).lowercased()
    return [
      "search", "query", "select", "filter", "chang", "typed", "suggest", "complete", "configure", "show",
      "switch", "prefix", "term", "sort", "tab", "page", "segment", "scroll", "pick", "update", "lookup",
      "zoom", "move", "preview", "display", "set", "autocomplete", "focus", "highlight", "open", "choose",
    ]
    .contains { words.contains($0) }
  }

  /// The function that an input calls.
  private func starter(of closure: ClosureExprSyntax) -> Syntax? {
    for node in closure.ancestors {
      if let outer = node.as(ClosureExprSyntax.self) {
        if outer.use != .once { return nil }
      }
      if let function = node.as(FunctionDeclSyntax.self) {
        let name = function.name.text.lowercased()
        if [
          "save", "delete", "login", "logout", "signin", "signout", "submit", "post", "upload", "purchase",
          "buy", "create", "add", "remove", "register", "toggle", "like", "favorite", "checkout", "pay",
          "confirm", "rename", "upgrade", "send", "vote", "follow", "logout", "download", "prefetch", "cache",
          "store", "report", "track",
        ].contains(where: { name.hasPrefix($0) }) {
          return nil
        }
        return Syntax(function)
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
        for inner in awaited.descendants(FunctionCallExprSyntax.self) where inner.callee != "Task.sleep" {
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
    let function = starter.as(FunctionDeclSyntax.self)
    let parameters = Set(
      function?.signature.parameterClause.parameters.filter { !$0.type.code.contains("->") }.map {
        ($0.secondName ?? $0.firstName).text
      } ?? [])
    for argument in arguments {
      for reference in argument.descendantsAndSelf(DeclReferenceExprSyntax.self) {
        let name = reference.baseName.text
        if parameters.contains(name), !["sender", "animated", "completion", "_"].contains(name) {
          return name
        }
        if let local = localDeclaration(of: name, at: reference) {
          // `let url = url(for: query)`, `guard let text = searchBar.text`, `[query]`
          let value =
            local.as(PatternBindingSyntax.self)?.initializer?.value
            ?? local.as(OptionalBindingConditionSyntax.self)?.initializer?.value
          if let value,
            value.descendantsAndSelf(DeclReferenceExprSyntax.self).contains(where: {
              parameters.contains($0.baseName.text) || Self.isInput($0.baseName.text)
            })
          {
            return name
          }
          if local.is(ClosureCaptureSyntax.self),
            Self.isInput(name) || parameters.contains(name) || observed(starter) == name
          {
            return name
          }
          continue
        }
        if Self.isInput(name), let property = project.property(name, of: type), !property.isLet {
          return name
        }
        if observed(starter) == name { return name }
      }
    }
    return nil
  }

  /// The property whose `didSet` a starter is.
  private func observed(_ starter: Syntax) -> String? {
    starter.is(AccessorDeclSyntax.self) ? starter.ancestor(PatternBindingSyntax.self)?.pattern.code : nil
  }

  private static func isInput(_ name: String) -> Bool {
    let name = name.lowercased()
    return [
      "query", "searchtext", "text", "filter", "term", "keyword", "selected", "currentid", "input",
      "category", "scope", "sortorder", "selection",
    ].contains { name.contains($0) }
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
      if path.names.contains(where: {
        $0.lowercased().contains("error") || $0.lowercased().contains("loading")
      }) {
        continue
      }
      if ["true", "false", "nil", "[]"].contains(elements[2].code)
        || elements[2].is(BooleanLiteralExprSyntax.self)
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
          : ["show", "display", "render", "update", "present", "set", "did", "on"].contains(where: {
            path.last.hasPrefix($0)
          })
            && [
              "view", "output", "delegate", "presenter", "screen", "display", "controller", "label", "cell",
              "ui", "listener", "observer",
            ].contains(where: { path.first.lowercased().contains($0) })
      else { continue }
      if path.names.count == 1,
        ["error", "fail", "loading"].contains(where: { path.first.lowercased().contains($0) })
      {
        continue
      }
      if ["error", "loading", "spinner", "progress"].contains(where: { path.last.lowercased().contains($0) })
      {
        continue
      }
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
    for inner in starter.descendants(FunctionCallExprSyntax.self) {
      if ["cancel", "cancelAll", "invalidateAndCancel", "cancelAllOperations"].contains(inner.name),
        inner.position < closure.position
      {
        return true
      }
      if let path = Path(inner.calledExpression), path.isMember, path.names.count == 1,
        inner.position < closure.position, path.first.lowercased().contains("cancel")
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
      let text = element.code.lowercased()
      return ["loading", "task == nil", "inflight", "busy", "running", "fetching", "refreshing", "searching"]
        .contains { text.contains($0) }
    }
  }
}

/// A property that a lock or a queue guards in one place, and that other code changes without it.
struct UnguardedStateRule: Rule {
  let kind = "unguarded-state"
  let consequence = "Now and then a value is lost, or the app crashes in code that is right."
  let why =
    "Two threads may change the property at the same time: one of them holds the lock, the other does not ask for it."
  let example = """
    func add(_ item: Item) { lock.withLock { items.append(item) } }
    func first() -> Item? { lock.withLock { items.first } }
    func reset() { items = [] }
    """
  let repair = "a `StateStore`, or an actor"
  let repaired = "func reset() { lock.withLock { items = [] } }"
  let section = "Priority inversion"

  private static let main = "DispatchQueue.main", background = "another queue"

  private struct State: Hashable { var held: Set<String> = [] }
  private struct Access: Hashable {
    let node: Syntax
    let isWrite: Bool
    let held: Set<String>
  }

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings = concurrentWrites(file)
    for group in file.all(ClassDeclSyntax.self) {
      guard let type = project.types[group.name.text], !project.isMainActor(type) else { continue }
      let guards = type.properties.values.filter {
        ($0.isLock || $0.plainType == "DispatchQueue") && !$0.isStatic
      }
      let hasMain = guards.isEmpty
      // Without a guard only the main queue can be one, and a change on it has to be shown.
      if hasMain, !usesMain(type) { continue }
      let accesses = self.accesses(type, Set(guards.map(\.name)), project)
      for (name, list) in accesses.sorted(by: { $0.key < $1.key }) {
        guard let property = type.properties[name], !property.isWeak, !property.modifiers.contains("lazy")
        else { continue }
        // The lock or queue under which most accesses happen.
        let guardNames = guards.map(\.name) + [Self.main]
        let counts = guardNames.map { name in (name, statements(list.filter { $0.held.contains(name) })) }
        guard let (lock, count) = counts.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }),
          list.contains(where: { $0.isWrite && $0.held.contains(lock) })
        else { continue }
        // The main queue guards only by convention, so only code that is surely elsewhere breaks
        // it.
        if hasMain, lock != Self.main { continue }
        // A function that is called with and without the lock cannot be judged here.
        let closed = Set(list.filter { $0.held.contains(lock) }.map(\.node))
        let open = list.filter {
          !$0.held.contains(lock) && !closed.contains($0.node)
            && (lock != Self.main || $0.held.contains(Self.background))
        }
        // A lock that most accesses ignore guards something else.
        guard !open.isEmpty, lock == Self.main || count > statements(open) else { continue }
        let guarded = list.first { $0.held.contains(lock) && $0.isWrite } ?? list[0]
        let shown = open.filter(\.isWrite).isEmpty ? open : open.filter(\.isWrite)
        for access in Set(shown.map { Access(node: $0.node, isWrite: $0.isWrite, held: []) }).sorted(by: {
          $0.node.position < $1.node.position
        }).prefix(3) {
          guard access.node.root.id == Syntax(file.tree).id else { continue }
          findings.append(
            finding(
              "`\(name)` is \(access.isWrite ? "changed" : "read") here without `\(lock)`, which guards it elsewhere",
              at: file.place(access.node, access.isWrite ? "changed without it" : "read without it"),
              [place(guarded.node, "changed with `\(lock)`", file, project)]))
        }
      }
    }
    return findings
  }

  /// Whether code of the type uses both the main queue and another one.
  private func usesMain(_ type: TypeInfo) -> Bool {
    let calls = type.calls
    return calls.contains { ["detached", "global", "OperationQueue"].contains($0.name) }
      && calls.contains { call in call.closures.contains { isOnMain($0.closure) } }
  }

  /// In how many statements accesses stand.
  private func statements(_ accesses: [Access]) -> Int {
    Set(accesses.map { $0.node.ancestor(CodeBlockItemSyntax.self)?.id ?? $0.node.id }).count
  }

  /// Writes in the iterations of `concurrentPerform`, which run at the same time.
  private func concurrentWrites(_ file: SourceFile) -> [Finding] {
    var findings: [Finding] = []
    for call in file.all(FunctionCallExprSyntax.self) where call.name == "concurrentPerform" {
      guard let closure = call.closures.first?.closure else { continue }
      func isGuarded(_ node: some SyntaxProtocol) -> Bool {
        for ancestor in node.ancestors {
          if ancestor.id == Syntax(closure).id { break }
          if let inner = ancestor.as(ClosureExprSyntax.self)?.call?.call,
            scopedLock(inner) != nil || inner.name == "sync" || inner.name == "async"
          {
            return true
          }
        }
        return closure.descendants(FunctionCallExprSyntax.self).contains { LockCall($0) != nil }
      }
      func isShared(_ path: Path, _ node: some SyntaxProtocol) -> Bool {
        path.isMember
          || localDeclaration(of: path.first, at: node).map { $0.position < closure.position } == true
      }
      for sequence in closure.descendants(SequenceExprSyntax.self) {
        let elements = Array(sequence.elements)
        guard elements.count >= 3,
          elements[1].is(AssignmentExprSyntax.self)
            || elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=") == true
              && !["==", "!=", "<=", ">="].contains(elements[1].code),
          let path = Path(elements[0]), isShared(path, sequence), !isGuarded(sequence),
          !path.text.contains("uffer"), !path.text.contains("pointer")
        else { continue }
        findings.append(
          finding(
            "`\(path.text)` is changed by iterations that run at the same time",
            at: file.place(sequence, "changed without a lock")))
      }
      for inner in closure.descendants(FunctionCallExprSyntax.self)
      where ["append", "insert", "updateValue", "formUnion", "removeValue"].contains(inner.name) {
        guard let path = inner.receiver.flatMap({ Path($0) }), isShared(path, inner), !isGuarded(inner) else {
          continue
        }
        findings.append(
          finding(
            "`\(path.text)` is changed by iterations that run at the same time",
            at: file.place(inner, "changed without a lock")))
      }
    }
    return findings
  }

  private func place(_ node: Syntax, _ label: String, _ file: SourceFile, _ project: Project) -> Place {
    let owner = project.files.first { Syntax($0.tree).id == node.root.id } ?? file
    return owner.place(node, label)
  }

  /// All accesses of the stored properties, with the guards that are held, apart from those in
  /// initializers and `deinit`.
  private func accesses(_ type: TypeInfo, _ guards: Set<String>, _ project: Project) -> [String: [Access]] {
    var found: [String: [Access]] = [:]
    var entered: Set<SyntaxIdentifier> = []
    func run(_ statements: CodeBlockItemListSyntax, _ held: Set<String>) {
      var closures: [ClosureExprSyntax: Set<String>] = [:]
      let flow = Flow<State>(project) { event, state in
        var state = state
        switch event {
        case .read(let path, let node, _): record(path, node, isWrite: false, state.held)
        case .write(let path, let node, _, _): record(path, node, isWrite: true, state.held)
        case .begin(let call):
          if let name = guardName(call) { state.held.insert(name) }
        case .end(let call):
          if let name = guardName(call) { state.held.remove(name) }
        case .call(let call):
          switch LockCall(call) {
          case .lock(let name): state.held.insert(name)
          case .unlock(let name): state.held.remove(name)
          case nil:
            if call.name == "dispatchPrecondition",
              let name = guards.sorted().first(where: {
                call.code.contains("onQueue(\($0))") || call.code.contains("onQueue(self.\($0))")
              })
            {
              state.held.insert(name)
            }
          }
        case .closure(let closure): closures[closure] = []
        default: break
        }
        return state
      }
      _ = flow.run(statements, from: State(held: held))
      for closure in closures.keys.sorted(by: { $0.position < $1.position })
      where entered.insert(closure.id).inserted {
        var held: Set<String> = []
        if let call = closure.call?.call,
          ["async", "asyncAfter", "notify", "DispatchWorkItem", "addOperation"].contains(call.name)
        {
          if let receiver = call.receiver.flatMap({ Path($0) }), receiver.isMember,
            guards.contains(receiver.first)
          {
            held = [receiver.first]
          }
          if let queue = (call.argument("queue") ?? call.argument("on")).flatMap({ Path($0) }),
            guards.contains(queue.first)
          {
            held = [queue.first]
          }
          if isOnMain(closure) { held = [Self.main] }
          if call.receiver?.code.contains(".global(") == true || call.receiver?.code == "OperationQueue()" {
            held = [Self.background]
          }
          // Where a work item runs is not known.
          if call.name == "DispatchWorkItem" { continue }
        } else if let call = closure.call?.call {
          // A closure for an API that is told the queue.
          let names = call.arguments.compactMap { Path($0.expression) }.filter { guards.contains($0.first) }
          if let name = names.first {
            held = [name.first]
          } else if isOnMain(closure) {
            held = [Self.main]
          } else if case .task(true) = closure.use {
            held = [Self.background]
          }
        } else {
          continue
        }
        run(closure.statements, held)
      }
    }
    func guardName(_ call: FunctionCallExprSyntax) -> String? {
      if let lock = scopedLock(call) { return lock }
      if call.name == "sync" || call.name == "asyncAndWait", let path = call.receiver.flatMap({ Path($0) }),
        path.isMember, guards.contains(path.first)
      {
        return path.first
      }
      return nil
    }
    func record(_ path: Path, _ node: Syntax, isWrite: Bool, _ held: Set<String>) {
      guard path.isMember, let property = type.properties[path.first], property.isStored, !property.isLet,
        !property.isStatic, !guards.contains(path.first)
      else { return }
      if node.ancestor(InitializerDeclSyntax.self) != nil
        || node.ancestor(DeinitializerDeclSyntax.self) != nil
      {
        return
      }
      found[path.first, default: []].append(Access(node: node, isWrite: isWrite, held: held))
    }
    let called = Set(type.calls.map(\.name))
    for (_, functions) in type.functions.sorted(by: { $0.key < $1.key }) {
      for function in functions {
        guard let body = function.body else { continue }
        let isPrivate = function.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
        let isCalled = called.contains(function.name.text)
        // A private function runs with what its callers hold.
        if isPrivate, isCalled { continue }
        let name = function.name.text.lowercased()
        if name.contains("locked") || name.contains("unsafe") || name.contains("onqueue") { continue }
        run(body.statements, [])
      }
    }
    for property in type.properties.values.sorted(by: { $0.name < $1.name }) {
      guard let accessors = property.accessors, !property.isStored else { continue }
      switch accessors.accessors {
      case .getter(let statements):
        if !property.modifiers.contains("private") { run(statements, []) }
      case .accessors(let list):
        if !property.modifiers.contains("private") {
          for accessor in list { if let body = accessor.body { run(body.statements, []) } }
        }
      }
    }
    return found
  }
}

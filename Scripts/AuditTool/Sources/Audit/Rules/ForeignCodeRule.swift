import SwiftSyntax

/// Code of others that runs while a lock is held.
struct ForeignCodeRule: Rule {
  let kind = "foreign-code-under-lock"
  let severities: [Severity] = [.hazard, .note]
  let consequence = "The app freezes as soon as an observer calls back into the object that notifies it."
  let why = "A closure, a delegate or a notification can call any code, also code that needs the same lock."
  let example = """
    lock.withLock {
      value = new
      for observer in observers { observer(new) }
    }
    """
  let repair = "lock, change, unlock, and then call; or a `StateStore`, which does so"
  let repaired = """
    let current = lock.withLock { value = new; return observers }
    for observer in current { observer(new) }
    """
  let section = "Deadlocks and priority inversion"

  private struct State: Hashable {
    var held: [String: Syntax] = [:]
  }

  private struct ForeignCall {
    let what: String
    let place: Place
    let isNote: Bool
    var severity: Severity { isNote ? .note : .hazard }
  }

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    guard !file.names.isDisjoint(with: lockNames) else { return [] }
    var calls: [Syntax: [ForeignCall]] = [:]
    var reported: Set<SyntaxIdentifier> = []
    for body in file.bodies {
      if let closure = body.closure, closure.use == .once || closure.use == .many { continue }
      let own = body.statements.descendants(FunctionCallExprSyntax.self) { !$0.is(FunctionDeclSyntax.self) }
      guard own.contains(where: { LockCall($0) != nil || scopedLock($0) != nil || isSync($0, project) })
      else { continue }
      let flow = Flow<State>(project) { event, state in
        var state = state
        switch event {
        case .begin(let call):
          if let name = scopedLock(call) { state.held[name] = Syntax(call) }
          if isSync(call, project) { state.held[call.receiver?.code ?? ""] = Syntax(call) }
        case .end(let call):
          if let name = scopedLock(call) { state.held[name] = nil }
          if isSync(call, project) { state.held[call.receiver?.code ?? ""] = nil }
        case .call(let call):
          switch LockCall(call) {
          case .lock(let name): state.held[name] = Syntax(call)
          case .unlock(let name): state.held[name] = nil
          case nil:
            guard let (name, lock) = state.held.min(by: { $0.value.position < $1.value.position }),
              let what = foreign(call, project)
            else { break }
            // A recursive lock lets the same thread in again.
            let isRecursive =
              name == "objc_sync"
              || project.property(name, of: project.type(around: lock))?.type.contains("Recursive") == true
            if reported.insert(call.id).inserted {
              let isNote = call.name == "resume" || isRecursive || isNoObserver(call, project)
              calls[lock, default: []].append(
                ForeignCall(what: what, place: file.place(call, "called here"), isNote: isNote))
            }
          }
        default: break
        }
        return state
      }
      _ = flow.run(body.statements, from: State())
    }
    return calls.map { finding(at: file.place($0.key, "locked here"), $0.value) }
  }

  /// One finding for what is called while one lock is held, at its first hazard.
  private func finding(at lock: Place, _ calls: [ForeignCall]) -> Finding {
    let calls = calls.sorted {
      ($0.severity, $0.place.line, $0.place.column) < ($1.severity, $1.place.line, $1.place.column)
    }
    let hazards = calls.filter { $0.severity == calls[0].severity }
    let names = hazards.reduce(into: [String]()) { if !$0.contains($1.what) { $0.append($1.what) } }
    let subject = names.count == 1 ? "\(names[0]) is" : "\(list(names)) are"
    return finding(
      "\(subject) called while the lock is held", at: hazards[0].place,
      hazards.dropFirst().map(\.place) + [lock], severity: hazards[0].severity)
  }

  private func isSync(_ call: FunctionCallExprSyntax, _ project: Project) -> Bool {
    guard call.name == "sync", let receiver = call.receiver, let path = Path(receiver), path.isMember else {
      return false
    }
    let type = project.type(around: call)
    guard project.property(path.first, of: type)?.isQueue == true else { return false }
    // Several readers run at once on a concurrent queue.
    let isBarrier = call.argument("flags")?.code.contains("barrier") == true
    return isBarrier || !isConcurrent(path.first, type)
  }

  /// Whether a type makes a queue that is concurrent.
  private func isConcurrent(_ name: String, _ type: TypeInfo?) -> Bool {
    func says(_ value: ExprSyntax?) -> Bool {
      value?.descendantsAndSelf(MemberAccessExprSyntax.self).contains {
        ["concurrent", "global"].contains($0.declName.baseName.text)
      } == true
    }
    if says(type?.properties[name]?.initialValue) { return true }
    let assignments = type?.initializers.flatMap { $0.descendants(SequenceExprSyntax.self) } ?? []
    return assignments.contains { assignment in
      let elements = Array(assignment.elements)
      return elements.count == 3 && elements[1].is(AssignmentExprSyntax.self)
        && Path(elements[0])?.names == [name] && says(elements[2])
    }
  }

  /// What a call calls, if it is code that the type does not know.
  private func foreign(_ call: FunctionCallExprSyntax, _ project: Project) -> String? {
    var callee = call.calledExpression
    while true {
      if let chained = callee.as(OptionalChainingExprSyntax.self) {
        callee = chained.expression
      } else if let forced = callee.as(ForceUnwrapExprSyntax.self) {
        callee = forced.expression
      } else {
        break
      }
    }
    if call.name == "post",
      call.callee.contains("NotificationCenter")
        || call.receiver.map({ $0.code.lowercased().hasSuffix("center") }) == true
    {
      return "the notification `\(call.argument("name")?.code ?? "")`"
    }
    guard let path = Path(callee) else {
      // `handlers[key]?(value)` has a path; `makeHandler()(value)` has none.
      return nil
    }
    let type = project.type(around: call)
    if path.names.count == 1, !path.isMember {
      guard path.first != "self", let local = localDeclaration(of: path.first, at: call) else { return nil }
      if local.is(FunctionDeclSyntax.self) { return nil }
      if let binding = local.as(PatternBindingSyntax.self),
        binding.initializer?.value.is(ClosureExprSyntax.self) == true
      {
        return nil
      }
      if let parameter = local.as(FunctionParameterSyntax.self) {
        // The caller gives a closure that runs in place, and so knows about the lock.
        let isBody = NameTable.body.isIn(path.first)
        guard
          isEscaping(parameter, in: type, project)
            || (!isBody && !call.arguments.isEmpty
              && !call.arguments.contains { $0.expression.is(InOutExprSyntax.self) })
        else { return nil }
      }
      if local.is(ClosureExprSyntax.self) || isParameter(local) {
        // `$0(value)` in the closure of `forEach`, but not the argument of the lock's own closure.
        guard let closure = local.as(ClosureExprSyntax.self) ?? local.ancestor(ClosureExprSyntax.self),
          closure.use == .many
        else { return nil }
      }
      return "the closure `\(path.first)`"
    }
    if path.isMember, path.names.count == 1 {
      guard let property = project.property(path.first, of: type),
        property.isClosure || call.calledExpression.code.contains("]")
      else { return nil }
      return "the closure `\(path.first)`"
    }
    if call.name == "resume", let last = path.names.dropLast().last,
      last.lowercased().contains("continuation")
    {
      return "`\(last).resume`"
    }
    // `onTermination` runs in `finish`, and in `yield` if the stream has just been cancelled.
    if ["yield", "finish"].contains(call.name), takesLockOnTermination(type),
      path.names.dropLast().contains(where: { $0.lowercased().contains("continuation") })
        || isContinuation(path.first, at: call, type, project)
    {
      return "`\(call.name)` of a stream whose `onTermination` takes a lock"
    }
    if let last = path.names.dropLast().last {
      // `subscriber.take()` is a method of the optional, and `peek` tells a value.
      if NameTable.delegate.ends(last), !["take", "peek"].contains(call.name) { return "`\(last)`" }
      if call.name == "send",
        ["subject", "publisher"].contains(words(of: last).last) || last == "objectWillChange"
      {
        return "`\(last)`"
      }
    }
    // `delegate.value?.didChange()` and `box.handler(value)`.
    if NameTable.storedClosure.ends(path.last), path.names.count > 1 {
      return "the closure `\(path.text)`"
    }
    return nil
  }

  /// Whether the code that a type gives to streams for their end takes a lock, itself or through a
  /// function of the type.
  private func takesLockOnTermination(_ type: TypeInfo?) -> Bool {
    func locks(_ node: some SyntaxProtocol, depth: Int) -> Bool {
      node.descendants(FunctionCallExprSyntax.self).contains { call in
        LockCall(call) != nil || scopedLock(call) != nil || call.name == "sync"
          || depth > 0 && type?.functions[call.name]?.contains { locks($0, depth: depth - 1) } == true
      }
    }
    return type?.blocks.contains { block in
      block.descendants(SequenceExprSyntax.self).contains { sequence in
        let elements = Array(sequence.elements)
        return elements.count == 3 && elements[1].is(AssignmentExprSyntax.self)
          && elements[0].as(MemberAccessExprSyntax.self)?.declName.baseName.text == "onTermination"
          && locks(elements[2], depth: 1)
      }
    } == true
  }

  /// Whether a name in a loop or closure is an element of a collection of continuations.
  private func isContinuation(
    _ name: String, at call: FunctionCallExprSyntax, _ type: TypeInfo?, _ project: Project
  ) -> Bool {
    guard let local = localDeclaration(of: name, at: call) else { return false }
    let source =
      (local.as(ForStmtSyntax.self) ?? local.ancestor(ForStmtSyntax.self))?.sequence
      ?? (local.as(ClosureExprSyntax.self) ?? local.ancestor(ClosureExprSyntax.self))?.call?.call.receiver
    return source?.descendantsAndSelf(DeclReferenceExprSyntax.self).contains {
      project.property($0.baseName.text, of: type)?.type.contains("Continuation") == true
    } == true
  }

  /// Whether a closure is no observer, which others register: the caller gives it for one call, it
  /// answers a question about its argument, or the object is made with it to get a value.
  private func isNoObserver(_ call: FunctionCallExprSyntax, _ project: Project) -> Bool {
    guard let path = Path(call.calledExpression), path.names.count == 1 else { return false }
    let type = project.type(around: call)
    if path.isMember {
      guard let property = project.property(path.first, of: type) else { return false }
      let result = property.type.components(separatedBy: "->").last?.trimmed("?!)]")
      return property.isLet && property.type.contains("->") && result != "Void" && result != "("
    }
    guard let local = localDeclaration(of: path.first, at: call),
      let parameter = local.as(FunctionParameterSyntax.self)
    else { return false }
    return !isEscaping(parameter, in: type, project)
      || parameter.type.code.trimmed("?)").hasSuffix("-> Bool") && !call.arguments.isEmpty
  }

  private func isEscaping(
    _ parameter: FunctionParameterSyntax, in type: TypeInfo?, _ project: Project
  ) -> Bool {
    let code = parameter.type.code
    return code.contains("escaping") || code.filter({ !$0.isWhitespace }).hasSuffix(")?")
      || isAliasOfClosure(code, in: type, project)
  }

  private func isParameter(_ node: Syntax) -> Bool {
    node.is(ClosureShorthandParameterSyntax.self) || node.is(ClosureParameterSyntax.self)
  }

  /// Whether a type is an alias of an optional closure, which escapes without saying so.
  private func isAliasOfClosure(_ code: String, in scope: TypeInfo?, _ project: Project) -> Bool {
    let alias = project.alias(code.trimmed("?"), in: scope)
    return alias?.contains("->") == true && (alias?.hasSuffix("?") == true || code.hasSuffix("?"))
  }
}

import SwiftSyntax

/// Counts on each path how often something is called that has to be called exactly once: a
/// completion, `resume`, `leave`.
///
/// A closure that runs later counts as the call if each of its own paths calls. Its own paths are
/// checked, too.
struct CallCounter {
  /// What an event means for the promise.
  enum Meaning {
    case call
    /// Other code has the promise now, so nothing is known about the path.
    case handedOver
    /// The path needs no call: there is no handler on it, or a programmer error ends it.
    case impossible
    /// A path without the call is deliberate or harmless: the owner is gone, or the work is
    /// cancelled.
    case excused
    case nothing
  }

  struct Missing: Hashable {
    /// Where the path ends without the call.
    let exit: Syntax
    let isExcused: Bool
    /// The closure whose path it is, if it is not that of the whole body.
    let closure: ClosureExprSyntax?
    /// Whether the path goes on after a call that a `nil` receiver skips.
    var isSkipped: Bool { exit.is(CodeBlockItemSyntax.self) }
  }

  struct Result {
    var missing: Set<Missing> = []
    /// The first and the second call on a path.
    var doubled: [Syntax: Syntax] = [:]
    var hasCall = false
    var isIncomplete = false
  }

  private struct State: Hashable {
    var calls = 0
    var first: Syntax?
    var isExcused = false
  }

  let project: Project
  /// Whether a closure can make the call, which is cheap to find out.
  let concerns: (ClosureExprSyntax) -> Bool
  let meaning: (Event) -> Meaning

  /// Counts the calls on the paths of a body. `isThrowingMissing` says whether a path that throws
  /// has to call, too.
  func count(_ statements: CodeBlockItemListSyntax, isThrowingMissing: Bool) -> Result {
    var result = Result()
    count(statements, isThrowingMissing, closure: nil, within: [], &result)
    return result
  }

  /// Whether all paths of the body make the call or hand it over. `outer` are the closures whose
  /// paths are being counted.
  @discardableResult
  private func count(
    _ statements: CodeBlockItemListSyntax, _ isThrowingMissing: Bool, closure: ClosureExprSyntax?,
    within outer: Set<SyntaxIdentifier>, _ result: inout Result
  ) -> Bool {
    var known: [SyntaxIdentifier: Bool] = [:]
    var concerned: [SyntaxIdentifier: Bool] = [:]
    var inner = Result()
    var ignored = Result()
    // Another call of the function has its own promise.
    let flow = Flow<State>(project, options: .init(entersItself: false)) { event, state in
      var state = state
      func call(at node: Syntax) -> State {
        inner.hasCall = true
        if state.calls == 1, let first = state.first {
          if areAlternatives(first, node) || endsLoop(first, before: node) { return state }
          inner.doubled[node] = [inner.doubled[node] ?? first, first].min { $0.position < $1.position }
        }
        state.calls = min(2, state.calls + 1)
        state.first = state.first ?? node
        return state
      }
      if case .begin(let call) = event, runsOnCondition(call) {
        // `resumeOnce { continuation.resume() }` decides itself whether the closure runs.
        state.calls = max(1, state.calls)
        state.first = nil
        return state
      }
      switch meaning(event) {
      case .call:
        guard case .call(let node) = event else { return state }
        return call(at: Syntax(node))
      case .handedOver:
        if case .read(_, let node, _) = event,
          let call = node.parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(FunctionCallExprSyntax.self),
          let chain = skippedStatement(call)
        {
          inner.missing.insert(Missing(exit: chain, isExcused: false, closure: closure))
        }
        state.calls = max(1, state.calls)
        inner.hasCall = true
        return state
      case .impossible: return nil
      case .excused:
        state.isExcused = true
        return state
      case .nothing: break
      }
      guard case .closure(let node) = event else { return state }
      let isConcerned = concerned[node.id] ?? concerns(node)
      concerned[node.id] = isConcerned
      guard isConcerned else { return state }
      // A local function that calls itself meets its own closure again.
      guard outer.count < 6, !outer.contains(node.id) else {
        state.calls = max(1, state.calls)
        return state
      }
      let inside = outer.union([node.id])
      if let chain = node.call.flatMap({ skippedStatement($0.call) }) {
        inner.missing.insert(Missing(exit: chain, isExcused: false, closure: closure))
      }
      if isRepeated(node) || hasSibling(node, concerned: concerns) {
        // How many times the closure runs is not known.
        if known[node.id] == nil {
          known[node.id] = count(node.statements, false, closure: node, within: inside, &ignored)
        }
        state.calls = max(1, state.calls)
        inner.hasCall = true
        return state
      }
      let isTask = if case .task = node.use { true } else { false }
      if known[node.id] == nil {
        known[node.id] = count(node.statements, isTask, closure: node, within: inside, &inner)
      }
      return known[node.id] == true
        ? call(at: Syntax(node))
        : {
          state.calls = max(1, state.calls); return state
        }()
    }
    let exits = flow.run(statements, from: State())
    result.isIncomplete = result.isIncomplete || exits.isIncomplete || inner.isIncomplete
    result.hasCall = result.hasCall || inner.hasCall
    result.doubled.merge(inner.doubled) { first, _ in first }
    result.missing.formUnion(inner.missing)
    let end = Syntax(
      closure?.rightBrace ?? statements.parent?.as(CodeBlockSyntax.self)?.rightBrace ?? statements.lastToken(
        viewMode: .sourceAccurate) ?? .rightBraceToken())
    for state in exits.normal where state.calls == 0 {
      result.missing.insert(Missing(exit: end, isExcused: state.isExcused, closure: closure))
    }
    for end in exits.returns + (isThrowingMissing ? exits.throwing : []) where end.state.calls == 0 {
      result.missing.insert(Missing(exit: end.node, isExcused: end.state.isExcused, closure: closure))
    }
    return inner.hasCall
  }

  /// The statement of a call that is skipped if its receiver is `nil`: `session?.send(change) { … }`.
  ///
  /// An owner that is gone, as `self?` says, needs no answer.
  private func skippedStatement(_ call: FunctionCallExprSyntax) -> Syntax? {
    var node = call.calledExpression, isOptional = false
    while true {
      if let member = node.as(MemberAccessExprSyntax.self), let base = member.base {
        node = base
      } else if let chained = node.as(OptionalChainingExprSyntax.self) {
        if ["self", "weakSelf"].contains(chained.expression.code) || isJustMade(chained.expression) {
          return nil
        }
        (node, isOptional) = (chained.expression, true)
      } else if let inner = node.as(FunctionCallExprSyntax.self) {
        node = inner.calledExpression
      } else {
        break
      }
    }
    guard isOptional else { return nil }
    // A result that is used shows that the call was skipped.
    var outer = Syntax(call)
    while let parent = outer.parent {
      if let item = parent.as(CodeBlockItemSyntax.self) { return Syntax(item) }
      guard
        [.optionalChainingExpr, .memberAccessExpr, .functionCallExpr, .tryExpr, .awaitExpr].contains(
          parent.kind)
      else { return nil }
      outer = parent
    }
    return nil
  }

  /// Whether the statement before has assigned a new object: `client = Client(); client?.send { … }`.
  private func isJustMade(_ receiver: ExprSyntax) -> Bool {
    guard let item = receiver.ancestor(CodeBlockItemSyntax.self),
      let list = item.parent?.as(CodeBlockItemListSyntax.self),
      let before = list.last(where: { $0.position < item.position }),
      let call = before.item.as(SequenceExprSyntax.self)?.elements.last?.as(FunctionCallExprSyntax.self),
      let target = assignmentTarget(of: ExprSyntax(call)), isInitializer(call), Path(target) != nil,
      Path(target) == Path(receiver)
    else { return false }
    let type = project.type(named: call.callee, in: project.type(around: call))
    return type?.initializers.contains { $0.optionalMark != nil } != true
  }

  /// Whether another closure of the same call can make the call, too, so that one of them does: one
  /// that is written there, or in a local constant. A closure for a cached value does not: the answer
  /// comes afterwards, or not at all.
  private func hasSibling(_ closure: ClosureExprSyntax, concerned: (ClosureExprSyntax) -> Bool) -> Bool {
    guard let call = closure.call?.call else { return false }
    return call.closures.contains { label, other in
      other.id != closure.id && !NameTable.preliminary.isIn(label ?? "") && concerned(other)
    }
      || call.arguments.contains { argument in
        guard let name = argument.expression.as(DeclReferenceExprSyntax.self)?.baseName.text,
          let local = localDeclaration(of: name, at: call)?.as(PatternBindingSyntax.self),
          let other = local.initializer?.value.as(ClosureExprSyntax.self)
        else { return false }
        return !NameTable.preliminary.isIn(argument.label?.text ?? "") && concerned(other)
      }
  }

  /// Whether a closure is made or runs several times.
  private func isRepeated(_ closure: ClosureExprSyntax) -> Bool {
    if runsOften(closure) { return true }
    if let (call, label) = closure.call {
      if ["scheduledTimer", "addObserver", "sink", "setEventHandler", "addPeriodicTimeObserver"].contains(
        call.name)
      {
        return true
      }
      // `startDeviceMotionUpdates(to:withHandler:)`
      if call.name.hasPrefix("start"), call.name.hasSuffix("Updates") { return true }
      if let label,
        ["progress", "onProgress", "receiveValue", "eventHandler", "update", "onUpdate"].contains(label)
      {
        return true
      }
    }
    for node in closure.ancestors {
      if node.kind == .forStmt || node.kind == .whileStmt || node.kind == .repeatStmt { return true }
      if let outer = node.as(ClosureExprSyntax.self), outer.use == .many { return true }
      if node.kind == .functionDecl { return false }
    }
    return false
  }
}

/// Whether an API calls a closure for each value: a handler that is assigned to a property, a
/// subscription, a timer.
func runsOften(_ closure: ClosureExprSyntax) -> Bool {
  if let (call, _) = closure.call {
    if call.name == "scheduledTimer" || call.callee == "Timer" {
      return call.argument("repeats")?.code == "true"
    }
    if ["sink", "setEventHandler", "addPeriodicTimeObserver"].contains(call.name) { return true }
    return call.name == "addObserver" && call.argument("forName") != nil
  }
  guard let elements = closure.parent?.as(ExprListSyntax.self), elements.count == 3,
    elements.last?.id == ExprSyntax(closure).id,
    let name = elements.first?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
  else { return false }
  return !NameTable.completion.isIn(name)
    && (name.hasSuffix("Handler") || name.hasPrefix("on") || NameTable.changes.isIn(name))
}

/// Whether a condition says that the owner is gone: `guard let self`.
func bindsSelf(_ node: Syntax) -> Bool {
  guard let element = node.as(ConditionElementSyntax.self) else { return false }
  switch element.condition {
  case .optionalBinding(let binding):
    return binding.initializer?.value.code == "self"
      || (binding.initializer == nil && ["self", "`self`"].contains(binding.pattern.code))
  case .expression(let node): return ["self != nil", "self == nil"].contains(node.code)
  default: return false
  }
}

/// Whether a condition asks if the call has been made already: `guard !didResume`, or a local flag
/// that the same closure changes afterwards, before it waits.
func asksForRepetition(_ node: Syntax) -> Bool {
  guard let element = node.as(ConditionElementSyntax.self) else { return false }
  return element.descendants(DeclReferenceExprSyntax.self).contains {
    NameTable.once.isIn($0.baseName.text) || isLocalFlag($0.baseName.text, askedBy: element)
  }
}

/// Whether a name is a local variable outside of a closure that asks for it and then turns it over.
private func isLocalFlag(_ name: String, askedBy element: ConditionElementSyntax) -> Bool {
  guard let closure = element.ancestor(ClosureExprSyntax.self), !closure.isAsync,
    let flag = localDeclaration(of: name, at: closure)?.as(PatternBindingSyntax.self),
    let initial = flag.initializer?.value.as(BooleanLiteralExprSyntax.self)?.literal.text
  else { return false }
  return closure.statements.descendants(
    SequenceExprSyntax.self, entering: { !$0.is(ClosureExprSyntax.self) }
  ).contains { sequence in
    let elements = Array(sequence.elements)
    return elements.count == 3 && elements[1].is(AssignmentExprSyntax.self) && elements[0].code == name
      && sequence.position > element.position
      && elements[2].as(BooleanLiteralExprSyntax.self).map { $0.literal.text != initial } == true
  }
}

/// Whether a condition asks for a cancellation.
func asksForCancellation(_ node: Syntax) -> Bool {
  guard node.is(ConditionElementSyntax.self) else { return false }
  let code = node.trimmedDescription.lowercased()
  return code.contains("iscancelled") || code.contains("iscanceled") || code.contains("urlerrorcancelled")
    || code.contains(".cancelled")
}

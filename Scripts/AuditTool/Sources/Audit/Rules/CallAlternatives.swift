import SwiftSyntax

/// Which of several calls happen on one path.
extension CallCounter {
  /// Whether a call is one of a local function or closure that asks whether it has acted already.
  private func actsOnce(_ call: FunctionCallExprSyntax) -> Bool {
    guard let path = Path(call.calledExpression), !path.isMember, path.names.count == 1,
      let local = localDeclaration(of: path.first, at: call)
    else { return false }
    let body =
      local.as(FunctionDeclSyntax.self)?.body.map { Syntax($0) }
      ?? local.as(PatternBindingSyntax.self)?.initializer?.value.as(ClosureExprSyntax.self).map { Syntax($0) }
    return body?.descendants(ConditionElementSyntax.self).contains { asksForRepetition(Syntax($0)) } == true
  }

  /// Whether a function that the project knows runs its closure only under a condition.
  func runsOnCondition(_ call: FunctionCallExprSyntax) -> Bool {
    guard let path = Path(call.calledExpression), path.names.count == 1 else { return false }
    let functions =
      path.isMember
      ? project.functions(path.first, of: project.type(around: call))
      : [localDeclaration(of: path.first, at: call)?.as(FunctionDeclSyntax.self)].compactMap { $0 }
    guard functions.count == 1, let body = functions[0].body else { return false }
    let names = functions[0].signature.parameterClause.parameters.map {
      ($0.secondName ?? $0.firstName).text
    }
    return body.descendants(FunctionCallExprSyntax.self).contains { inner in
      guard let called = inner.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
        names.contains(called)
      else { return false }
      return inner.ancestors.prefix { $0.id != body.id }.contains { $0.is(IfExprSyntax.self) }
        || body.statements.contains { $0.item.is(GuardStmtSyntax.self) && $0.position < inner.position }
    }
  }

  /// Whether only one of two closures runs: a person takes one of several actions, and a promise is
  /// fulfilled or rejected.
  func areAlternatives(_ first: Syntax, _ second: Syntax) -> Bool {
    if isAction(first), isAction(second) || isInsteadOfAlert(second, with: first) { return true }
    // `settleOnce { … }` in both, or a local function that asks `didSettle`: the first one wins.
    if [first, second].contains(where: { node in
      node.descendants(FunctionCallExprSyntax.self).contains { runsOnCondition($0) || actsOnce($0) }
    }) {
      return true
    }
    guard let last = second.as(ClosureExprSyntax.self)?.call?.call,
      NameTable.rejection.isIn(last.name)
        || first.as(ClosureExprSyntax.self)?.call.map({
          NameTable.rejection.isIn($0.call.name)
        }) == true
    else { return false }
    var chain = last.receiver
    while let step = chain?.as(FunctionCallExprSyntax.self) {
      if step.closures.contains(where: { $0.closure.id == first.id }) { return true }
      chain = step.receiver
    }
    return false
  }

  /// Whether a node is the closure of one action of several: `UIAlertAction(title:style:) { … }`.
  private func isAction(_ node: Syntax) -> Bool {
    guard let call = node.as(ClosureExprSyntax.self)?.call?.call else { return false }
    return words(of: call.name).contains { ["action", "button"].contains($0) }
  }

  /// Whether a direct call runs only if the alert of an action is not shown: each `present` stands in
  /// another branch, or after a branch that leaves the function.
  private func isInsteadOfAlert(_ call: Syntax, with action: Syntax) -> Bool {
    guard call.is(FunctionCallExprSyntax.self),
      call.ancestor(ClosureExprSyntax.self) == action.ancestor(ClosureExprSyntax.self),
      let body = functionBody(around: call)
    else { return false }
    let calls = body.descendants(FunctionCallExprSyntax.self) { !self.isAction($0) }
    let shows = calls.filter {
      ["present", "show"].contains(words(of: $0.name).first) && $0.position > action.position
    }
    return !shows.isEmpty && shows.allSatisfy { excludes(call, Syntax($0)) }
  }

  /// Whether no path reaches both nodes: they stand in two branches of one statement, or the first
  /// one in a branch that leaves the function before the second one.
  private func excludes(_ first: Syntax, _ second: Syntax) -> Bool {
    func contains(_ outer: Syntax) -> Bool {
      outer.position <= second.position && second.position < outer.endPosition
    }
    for branch in first.ancestors.prefix(while: { !$0.is(FunctionDeclSyntax.self) }) {
      guard !contains(branch), let statement = branch.parent,
        [.ifExpr, .switchCaseList, .guardStmt].contains(statement.kind)
      else { continue }
      if statement.kind != .guardStmt, contains(statement) { return true }
      let last =
        (branch.as(CodeBlockSyntax.self)?.statements ?? branch.as(SwitchCaseSyntax.self)?.statements)?.last
      let leaves = last.map { $0.item.is(ReturnStmtSyntax.self) || $0.item.is(ThrowStmtSyntax.self) } == true
      if leaves, second.position > branch.position { return true }
    }
    return false
  }

  /// Whether a loop asks a flag that ends it after the first of two calls, so that the second one is
  /// not reached: `while isReading { …; completion(); isReading = false }`.
  func endsLoop(_ first: Syntax, before second: Syntax) -> Bool {
    guard let loop = first.ancestor(WhileStmtSyntax.self), loop == second.ancestor(WhileStmtSyntax.self),
      first == second || excludes(first, second)
    else { return false }
    let flags = Set(loop.conditions.map(\.condition.trimmedDescription))
    return first.ancestors.prefix { $0.id != loop.id }.contains { block in
      block.as(CodeBlockItemListSyntax.self)?.contains { item in
        guard item.position > first.position,
          let elements = item.item.as(SequenceExprSyntax.self)?.elements.map(\.code), elements.count == 3
        else { return false }
        return elements[1] == "=" && elements[2] == "false" && flags.contains(elements[0])
      } == true
    }
  }
}

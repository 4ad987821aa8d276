import SwiftSyntax

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

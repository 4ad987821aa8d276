import SwiftSyntax

/// Tasks that keep other calls out while they run.
extension AwaitGapRule {
  /// The property that keeps a new task, and keeps other calls out while the task runs: only the task
  /// clears it, and an actor guards it.
  func claimedProperty(
    _ call: FunctionCallExprSyntax, _ type: TypeInfo, _ project: Project
  ) -> String? {
    guard let name = property(of: call), let closure = call.closures.first?.closure else { return nil }
    let isolation = project.isolation(of: call)
    guard [.actor, .mainActor].contains(isolation), project.isolation(of: closure.statements) == isolation
    else { return nil }
    let writes = type.blocks.flatMap { $0.descendants(SequenceExprSyntax.self) }.filter { sequence in
      let elements = Array(sequence.elements)
      guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self), let path = Path(elements[0])
      else { return false }
      return path.isMember && path.names == [name] && project.type(around: sequence) === type
    }
    let isAlone = writes.allSatisfy { write in
      if ["init", "deinit"].contains(memberName(around: write)) { return true }
      // The task itself clears the property.
      let tasks = write.ancestors.compactMap { $0.as(ClosureExprSyntax.self)?.call?.call }
      if tasks.contains(where: { property(of: $0) == name }) { return true }
      // A function that asks for the task before it makes another one.
      guard write.elements.last.flatMap(newTask).flatMap(property(of:)) == name,
        let body = functionBody(around: write)
      else { return false }
      let isCancelled = body.descendants(FunctionCallExprSyntax.self).contains {
        $0.name == "cancel" && $0.receiver.flatMap { Path($0)?.last } == name
      }
      return !isCancelled
        && body.descendants(ConditionElementSyntax.self).contains {
          $0.position < write.position && fact(of: $0)?.key.hasSuffix(name + "?") == true
        }
    }
    return isAlone ? name : nil
  }

  /// The property to which a call assigns the task that it makes, or that gets the task in the next
  /// statement: `let task = Task { … }; job = task`.
  private func property(of call: FunctionCallExprSyntax) -> String? {
    guard call.closures.contains(where: { $0.closure.use == .task(isDetached: false) }) else { return nil }
    var value = ExprSyntax(call)
    if let binding = call.parent?.parent?.as(PatternBindingSyntax.self),
      let item = binding.ancestor(CodeBlockItemSyntax.self),
      let list = item.parent?.as(CodeBlockItemListSyntax.self),
      let next = list.first(where: { $0.position > item.position })?.item.as(SequenceExprSyntax.self),
      let last = next.elements.last, last.code == binding.pattern.code
    {
      value = last
    }
    guard let path = assignmentTarget(of: value).flatMap({ Path($0) }), path.isMember, path.names.count == 1
    else { return nil }
    return path.first
  }

  /// The call that makes a task, and to which an assigned value leads.
  private func newTask(_ value: ExprSyntax) -> FunctionCallExprSyntax? {
    if let call = value.as(FunctionCallExprSyntax.self) { return call }
    guard let name = value.as(DeclReferenceExprSyntax.self)?.baseName.text else { return nil }
    return localDeclaration(of: name, at: value)?.as(PatternBindingSyntax.self)?.initializer?.value
      .as(FunctionCallExprSyntax.self)
  }
}

import Audit
import SwiftSyntax

/// Step 7 of the guide: a class that a serial queue guards becomes an actor on that queue.
///
/// Each block still goes to the queue with `async` or `sync`, so the calls keep their order, and no
/// caller changes.
struct QueueActorStep: Step {
  let name = "queue-actor"
  let summary =
    "Turns a class whose state a private serial queue guards into an actor on that queue. No caller changes."
  let subject = "a class whose state one private serial queue guards"
  let page = "FromAViewController/Step7UseAnActor"

  func changes(in scope: Scope) -> [Change] {
    let project = scope.project
    return scope.viewModels().compactMap { type in
      let all = type.properties.values.filter {
        $0.isDispatchQueue && !$0.isStatic && $0.initialValue != nil
      }
      .sorted { $0.name < $1.name }
      // A queue that other code shares guards nothing.
      let queues = all.filter { !$0.isSharedQueue }
      guard let queue = queues.first ?? all.first, !project.isMainActor(type) else { return nil }
      return Change(type.name, in: project) { edits throws(Refusal) in
        guard !queue.isSharedQueue else {
          throw Refusal(
            "other code runs on `\(queue.name)`, too: a class on the main queue becomes `@MainActor`, and state that other threads use needs a serial queue",
            at: project.place(queue.declaration))
        }
        guard queues.count == 1 else {
          throw Refusal(
            "it has several queues: `\(queues.map(\.name).joined(separator: "`, `"))`",
            at: project.place(queues[1].declaration))
        }
        let guarded = try GuardedClass(type, queue: queue, in: project)
        try guarded.write(&edits)
      }
    }
  }
}

extension Property {
  /// Whether the property is a queue, also if only its value shows that.
  var isDispatchQueue: Bool {
    ["DispatchQueue", "DispatchSerialQueue", "DispatchQueue.global"].contains(plainType)
  }

  /// Whether the value is the main queue or a global one.
  var isSharedQueue: Bool {
    if let call = initialValue?.as(FunctionCallExprSyntax.self) {
      return ["DispatchQueue.global", ".global"].contains(call.callee)
    }
    return ["DispatchQueue.main", ".main"].contains(initialValue?.code)
  }
}

extension GuardedClass {
  /// Turns the class into an actor on its queue.
  func write(_ edits: inout Edits) throws(Refusal) {
    try writeDeclaration(&edits)
    writeQueue(&edits)
    for block in type.blocks {
      for member in block.members { try write(member.decl, &edits) }
    }
    for initializer in type.initializers {
      for use in references(in: initializer) where use.name == queue.name {
        guard case .member = context(of: use.node) else { continue }
        // A computed property is not available before all stored ones are set.
        edits.insert("isolation.", before: use.node)
      }
    }
    for entry in entries { try write(entry, &edits) }
    edits.addImport("AsyncViewModels", to: node)
  }

  private func writeDeclaration(_ edits: inout Edits) throws(Refusal) {
    for modifier in node.modifiers where modifier.name.text == "final" { edits.remove(modifier) }
    edits.replace(node.classKeyword, with: "actor")
    // An actor is Sendable, and an object.
    for group in [node.inheritanceClause].compactMap({ $0 }) {
      let implied: Set = ["Sendable", "AnyObject", "@unchecked Sendable"]
      let kept = group.inheritedTypes.map(\.type.code).filter { !implied.contains($0) }
      guard kept.count < group.inheritedTypes.count else { continue }
      if kept.isEmpty {
        let start =
          node.genericParameterClause?.endPositionBeforeTrailingTrivia
          ?? node.name.endPositionBeforeTrailingTrivia
        edits.replace(start, group.endPositionBeforeTrailingTrivia, in: group, with: "")
      } else {
        edits.replace(group, with: ": " + kept.joined(separator: ", "))
      }
    }
  }

  private func writeQueue(_ edits: inout Edits) {
    let declaration = queue.declaration
    guard let binding = declaration.bindings.first, let value = queue.initialValue else { return }
    edits.replace(binding, with: "isolation = QueueIsolation(\(value.code))")
    let isPublic = node.modifiers.contains { $0.name.text == "public" }
    edits.insertLines(
      [
        "private nonisolated var \(queue.name): DispatchQueue { isolation.queue }",
        "\(isPublic ? "public " : "")nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }",
      ], after: declaration)
  }

  private func write(_ member: DeclSyntax, _ edits: inout Edits) throws(Refusal) {
    if let initializer = member.as(InitializerDeclSyntax.self) {
      for modifier in initializer.modifiers where ["convenience", "required"].contains(modifier.name.text) {
        edits.remove(modifier)
      }
      return
    }
    guard let modifiers = member.asProtocol((any WithModifiersSyntax).self)?.modifiers,
      !modifiers.contains(where: { ["static", "nonisolated"].contains($0.name.text) })
    else { return }
    if let variable = member.as(VariableDeclSyntax.self) {
      guard variable.id != queue.declaration.id, let name = variable.bindings.first?.pattern.code,
        let property = type.properties[name]
      else { return }
      if property.isStored {
        if isPrivate(member) { return }
        if property.isLet { return edits.insert("nonisolated ", before: variable.bindingSpecifier) }
        edits.insertLines(
          [
            decision(
              "Is `\(name)` set before its first use, or only on one queue? The actor does not guard it."
            )
          ],
          before: variable)
        let weak = variable.modifiers.first { ["weak", "unowned", "lazy"].contains($0.name.text) }
        return edits.insert(
          "nonisolated(unsafe) ", before: weak.map { Syntax($0) } ?? Syntax(variable.bindingSpecifier))
      }
      if !isOnQueue(member) { edits.insert("nonisolated ", before: variable.bindingSpecifier) }
    } else if let function = member.as(FunctionDeclSyntax.self) {
      if !isOnQueue(member) { edits.insert("nonisolated ", before: function.funcKeyword) }
    } else if let subscripted = member.as(SubscriptDeclSyntax.self) {
      if !isOnQueue(member) { edits.insert("nonisolated ", before: subscripted.subscriptKeyword) }
    }
  }
}

extension Edits {
  /// Removes a modifier and the space after it.
  mutating func remove(_ modifier: DeclModifierSyntax) {
    guard let next = modifier.nextToken(viewMode: .sourceAccurate) else { return }
    replace(
      modifier.positionAfterSkippingLeadingTrivia, next.positionAfterSkippingLeadingTrivia, in: modifier,
      with: "")
  }
}

import Audit
import SwiftSyntax

/// Step 9 of the guide: an actor leaves its dispatch queue, if no other code needs the queue.
struct ActorStep: Step {
  let name = "actor"
  let summary =
    "Removes the queue of an actor, and runs the work of its intents directly, if their callers can await."
  let subject = "an actor with a private `QueueIsolation` as its executor"
  let page = "FromAViewController/Step9RemoveTheBridge"

  func changes(in scope: Scope) -> [Change] {
    let project = scope.project
    let actors = project.types.values.filter { type in
      type.isActor && (scope.only.isEmpty || scope.includes(type.name))
        && type.declaration.flatMap(project.file)?.isTest == false
    }.sorted { $0.name < $1.name }
    return actors.compactMap { type in
      guard let isolation = type.properties["isolation"],
        isolation.initialValue?.code.hasPrefix("QueueIsolation(") == true
      else { return nil }
      return Change(type.name, in: project) { edits throws(Refusal) in
        let bridges = type.properties.values.filter { $0.accessors?.code.contains("isolation.") == true }
          .sorted { $0.name < $1.name }
        let own = [isolation] + bridges
        guard isolation.isPrivate, bridges.contains(where: { $0.name == "unownedExecutor" }) else {
          throw Refusal(
            "`isolation` is not private, or not its executor", at: project.place(isolation.declaration))
        }
        let queues = Set(bridges.filter { $0.name != "unownedExecutor" }.map(\.name))
        let intents = type.functions.values.flatMap { $0 }.sorted { $0.position < $1.position }
          .compactMap { ActorIntent($0, of: type, queue: queues, in: project) }
        if let use = firstUse(of: type, without: own, intents, in: project) {
          throw Refusal(reason(use), at: project.place(use))
        }
        for intent in intents { try intent.write(&edits) }
        edits.removeLines(own.map(\.declaration))
      }
    }
  }

  private func reason(_ use: Syntax) -> String {
    let call = use.as(CodeBlockItemSyntax.self)?.call ?? use.as(FunctionCallExprSyntax.self)
    let function = use.ancestor(FunctionDeclSyntax.self)
    let code = use.code.prefix { !$0.isNewline }
    switch call?.name {
    case "sync": return "a caller that cannot wait enters the actor: `\(code)`; make that async first"
    case "async" where function?.modifiers.contains { $0.name.text == "nonisolated" } == false:
      return "`\(code)` runs after work that is in the queue already, and direct code would run before it"
    default: return "the queue is in use: `\(code)`; await here first"
    }
  }

  /// The first code that needs the queue: a use of one of the properties, or a synchronous entry.
  private func firstUse(
    of type: TypeInfo, without own: [Property], _ intents: [ActorIntent], in project: Project
  ) -> Syntax? {
    let names = Set(own.map(\.name))
    func isNeeded(_ node: some SyntaxProtocol) -> Bool {
      !intents.contains { $0.contains(Syntax(node)) }
        && !node.ancestors.contains { node in own.contains { $0.declaration.id == node.id } }
    }
    let uses = type.references(to: names, in: project).filter { isNeeded($0.node) }
      .map { use in
        let call = use.node.ancestor(FunctionCallExprSyntax.self)
        return use.node.statement.map { Syntax($0) } ?? call.map { Syntax($0) } ?? Syntax(use.node)
      }
    // Another type can enter any actor of the files: the tool does not know on which object.
    let entries = project.files.filter { !$0.isTest }.flatMap { file in
      file.all(FunctionCallExprSyntax.self).filter { call in
        call.name == "assumeIsolated" && call.receiver?.code != "MainActor" && isNeeded(call)
      }
    }.map { Syntax($0.calledExpression) }
    return uses.first ?? entries.first { project.type(around: $0) === type } ?? entries.first
  }
}

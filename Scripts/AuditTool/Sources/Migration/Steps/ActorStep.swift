import Audit
import SwiftSyntax

/// Step 9 of the guide: an actor leaves its dispatch queue, if no code needs the queue anymore.
struct ActorStep: Step {
  let name = "actor"
  let summary = "Removes the queue of an actor, if no code uses the queue or enters the actor from it."
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
        let bridges = ["queue", "unownedExecutor"].compactMap { type.properties[$0] }.filter {
          $0.accessors?.code.contains("isolation.") == true
        }
        let own = [isolation] + bridges
        guard isolation.isPrivate, bridges.contains(where: { $0.name == "unownedExecutor" }) else {
          throw Refusal(
            "`isolation` is not private, or not its executor", at: project.place(isolation.declaration))
        }
        if let use = firstUse(of: type, without: own, in: project) {
          throw Refusal("the queue is in use: `\(use.code)`; await here first", at: project.place(use))
        }
        for property in own { edits.removeLines(property.declaration) }
      }
    }
  }

  /// The first code that needs the queue: a use of one of the properties, or a synchronous entry.
  private func firstUse(of type: TypeInfo, without own: [Property], in project: Project) -> Syntax? {
    let names = Set(own.map(\.name))
    let uses = type.references(to: names, in: project).filter { use in
      !use.node.ancestors.contains { node in own.contains { $0.declaration.id == node.id } }
    }.map { $0.node.statement.map { Syntax($0) } ?? Syntax($0.node) }
    // Another type can enter any actor of the files: the tool does not know on which object.
    let entries = project.files.filter { !$0.isTest }.flatMap { file in
      file.all(FunctionCallExprSyntax.self).filter { call in
        call.name == "assumeIsolated" && call.receiver?.code != "MainActor"
      }
    }.map { Syntax($0.calledExpression) }
    return uses.first ?? entries.first { project.type(around: $0) === type } ?? entries.first
  }
}

import Audit
import SwiftParser
import SwiftSyntax

/// Step 6 of the guide: a protocol with completion handlers gets an async twin and two adapters.
struct AsyncTwinStep: Step {
  let name = "async-twin"
  let summary =
    "Adds the async twin of a protocol with completion handlers, and an adapter in each direction."
  let subject = "a protocol with completion handlers that has no async twin"
  let page = "FromAViewController/Step6AwaitTheService"

  func changes(in scope: Scope) -> [Change] {
    let project = scope.project
    var cancellable: Set<String> = []
    return project.files.filter { !$0.isTest }.flatMap { $0.all(ProtocolDeclSyntax.self) }.compactMap {
      node in
      let name = node.name.text
      guard scope.includes(name), !name.hasSuffix("Delegate"), project.types["Async" + name] == nil,
        CompletionForm.isUsed(in: node, project), !isUnused(node, in: project)
      else { return nil }
      return Change(name, in: project) { edits throws(Refusal) in
        for made in ["\(name)Adapter", "Async\(name)Adapter"] {
          guard let taken = project.types[made]?.declaration else { continue }
          throw Refusal("`\(made)` is there already: rename that first", at: project.place(taken))
        }
        var twin = try AsyncTwin(of: node, in: project, edits)
        twin.cancellable.subtract(cancellable)
        cancellable.formUnion(twin.cancellable)
        edits.insertLines(twin.lines, after: node)
        edits.addImport("AsyncViewModels", to: node)
        if twin.usesQueue,
          project.file(of: node)?.imports("Foundation", "Dispatch", "UIKit", "SwiftUI") == false
        {
          edits.addImport("Dispatch", to: node)
        }
      }
    }
  }

  /// Whether the protocol is private and no type conforms to it, so that a twin would be dead code.
  private func isUnused(_ node: ProtocolDeclSyntax, in project: Project) -> Bool {
    let isPrivate = node.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
    return isPrivate && !project.types.values.contains { $0.inherited.contains(node.name.text) }
  }
}

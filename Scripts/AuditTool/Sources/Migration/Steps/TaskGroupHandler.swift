import Audit
import SwiftSyntax

/// The code of a closure that becomes code of a task: a completion handler, or the work after all of them.
struct TaskGroupHandler {
  /// How a closure captures `self`.
  enum Capture { case none, weak, strong }

  let parameters: [String]
  let capture: Capture
  let lines: [String]
  /// Whether the code ran on the queue of the notification, or uses only local names.
  let isIsolated: Bool
  /// The local names that the code declares itself, outside of inner blocks.
  let declared: Set<String>

  init(
    _ closure: ClosureExprSyntax, entry: String?, isLoop: Bool = false, in group: TaskGroup, _ edits: Edits
  ) throws(Refusal) {
    guard let file = group.project.file(of: closure) else {
      throw group.refusal("it is not in a file", closure)
    }
    var closures = [closure], statements = closure.statements, hops = entry == nil, objects: Set<String> = []
    // `queue.async { self.assumeIsolated { model in … } }` around all code says only where it runs.
    while statements.count == 1, let call = statements.first?.call, call.closures.count == 1,
      call.arguments.isEmpty, let inner = call.closures.first?.closure
    {
      if call.name == "async", let receiver = call.receiver, group.isOwnQueue(receiver) {
        hops = true
      } else if call.name == "async", let name = call.receiver?.code, group.partQueues.contains(name) {
        // Only the order of the handlers.
      } else if call.name == "assumeIsolated", call.receiver?.code == "self" {
        objects.insert(inner.parameterNames.first ?? "$0")
      } else {
        break
      }
      closures.append(inner)
      statements = inner.statements
    }
    let used = Set(statements.tokens(viewMode: .sourceAccurate).map(\.text))
    parameters = closure.parameterNames.map { used.contains($0) ? $0 : "_" }
    for found in closures {
      if let item = found.signature?.capture?.items.first(where: {
        $0.name.text != "self" || $0.initializer != nil
      }) {
        throw group.refusal("a closure captures `\(item.code)`: use the name itself", item)
      }
    }

    var moved = MovedStatements(Array(statements), in: file, edits)
    func isOwn(_ node: some SyntaxProtocol) -> Bool {
      for ancestor in node.ancestors {
        if ancestor.id == closures.last!.id { return true }
        if ancestor.is(ClosureExprSyntax.self) || ancestor.is(FunctionDeclSyntax.self) { return false }
      }
      return false
    }
    var changed: Set<SyntaxIdentifier> = []
    for leave in statements.descendants(FunctionCallExprSyntax.self)
    where entry != nil && leave.name == "leave" && leave.receiver?.code == entry {
      guard isOwn(leave) else {
        throw group.refusal("its entry leaves in a closure that runs later", leave)
      }
      if let item = leave.statement {
        let outer = item.ancestor(CodeBlockItemSyntax.self)
        let deferred = outer?.item.is(DeferStmtSyntax.self) == true && item.siblings.count == 1 ? outer : nil
        guard moved.remove(deferred ?? item) else {
          throw group.refusal("give this leave() a line of its own", leave)
        }
      } else if let exit = leave.parent?.as(ReturnStmtSyntax.self) {
        guard isLoop || !exit.isInLoop else { throw group.refusal("a loop of a handler returns", exit) }
        moved.replace(exit, with: isLoop ? "return" : "continue")
        changed.insert(exit.id)
      } else {
        throw group.refusal("its leave() is not a statement", leave)
      }
    }
    if entry != nil, !isLoop {
      for exit in statements.descendants(ReturnStmtSyntax.self)
      where isOwn(exit) && !changed.contains(exit.id) {
        guard exit.expression == nil else { throw group.refusal("a handler returns a value", exit) }
        guard !exit.isInLoop else { throw group.refusal("a loop of a handler returns", exit) }
        moved.replace(exit, with: "continue")
      }
    }
    for reference in statements.descendants(DeclReferenceExprSyntax.self) {
      let name = reference.baseName.text
      if group.partQueues.contains(name), !reference.isMemberName {
        throw group.refusal("a handler uses `\(name)` for more than its place in the order", reference)
      } else if objects.contains(name), !reference.isMemberName {
        moved.replace(reference, with: "self")
      } else if name.hasPrefix("$"), reference.ancestor(ClosureExprSyntax.self)?.id == closures.last?.id {
        throw group.refusal("name the values of this handler", reference)
      }
    }
    let usesSelf = !objects.isEmpty || group.usesSelf(statements)
    let captures = Set(closures.compactMap { $0.capture(of: "self") })
    guard !captures.contains("unowned") else {
      throw group.refusal("a closure has an unowned `self`", closure)
    }
    capture = !usesSelf ? .none : captures.contains("weak") ? .weak : .strong
    isIsolated = hops || !usesSelf
    declared = Set(
      statements.flatMap { item -> [String] in
        let patterns =
          item.item.as(VariableDeclSyntax.self)?.bindings.map(\.pattern.code)
          ?? item.item.as(
            GuardStmtSyntax.self)?.conditions.compactMap { condition in
            guard case .optionalBinding(let binding) = condition.condition else { return nil }
            return binding.pattern.code
          }
        return patterns ?? []
      })
    lines = moved.lines + closures.reversed().flatMap { edits.comments(of: $0.rightBrace) }
  }
}

extension ReturnStmtSyntax {
  /// Whether a loop stands around the statement in its closure.
  fileprivate var isInLoop: Bool {
    for ancestor in ancestors {
      if ancestor.is(ClosureExprSyntax.self) { return false }
      if ancestor.is(ForStmtSyntax.self) || ancestor.is(WhileStmtSyntax.self)
        || ancestor.is(RepeatStmtSyntax.self)
      {
        return true
      }
    }
    return false
  }
}

extension DeclReferenceExprSyntax {
  /// Whether the name stands after a dot.
  var isMemberName: Bool { parent?.as(MemberAccessExprSyntax.self).map { $0.declName.id == id } == true }
}

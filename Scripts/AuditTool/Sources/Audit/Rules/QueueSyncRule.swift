import SwiftSyntax

/// `sync` onto the main queue, or onto the queue on which the code runs.
struct QueueSyncRule: Rule {
  let kind = "queue-sync"
  let consequence = "The app freezes: the caller waits for a queue that waits for the caller."
  let why = "`sync` waits until the queue is free. If the caller is on that queue, it never is."
  let example = """
    func add(_ item: Item) {
      queue.async { self.items.append(item); print(self.count) }
    }
    var count: Int { queue.sync { items.count } }
    """
  let repair = "a `StateStore`, or `await` on the main actor"
  let repaired = "var count: Int { store.value.items.count }"
  let section = "Deadlocks and priority inversion"

  private struct State: Hashable {
    var on: [String: Syntax] = [:]
    var isOffMain = false
  }

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    guard file.names.contains("sync") else { return [] }
    var findings: [Finding] = []
    var reported: Set<SyntaxIdentifier> = []
    for body in file.bodies {
      var start = State()
      if let closure = body.closure {
        guard closure.use == .later, let call = closure.call?.call,
          let queue = serialQueue(call, project, ["async", "asyncAfter"])
        else {
          continue
        }
        start.on[queue] = Syntax(call)
      }
      guard hasQueue(project.type(around: body.node)) else { continue }
      let flow = Flow<State>(project, options: .init(followsCalls: true)) { event, state in
        var state = state
        switch event {
        case .begin(let call):
          guard let queue = serialQueue(call, project, ["sync"], isAnyKind: true) else { break }
          // A concurrent queue only waits for itself if one of the two is a barrier.
          let isSerial = serialQueue(call, project, ["sync"]) != nil
          func isBarrier(_ node: Syntax) -> Bool {
            node.as(FunctionCallExprSyntax.self)?.argument("flags")?.code.contains("barrier") == true
          }
          if let outer = state.on[queue], isSerial || isBarrier(Syntax(call)) || isBarrier(outer),
            reported.insert(call.id).inserted
          {
            findings.append(
              finding(
                "`\(queue).sync` is called on `\(queue)` itself, which blocks forever",
                at: file.place(call, "waits for the queue"),
                [file.place(outer, "runs on the queue")]))
          }
          state.on[queue] = Syntax(call)
        case .end(let call):
          if let queue = serialQueue(call, project, ["sync"], isAnyKind: true) { state.on[queue] = nil }
        default: break
        }
        return state
      }
      _ = flow.run(body.statements, from: start)
    }
    for call in file.all(FunctionCallExprSyntax.self)
    where call.name == "sync" && call.callee.hasSuffix("DispatchQueue.main.sync") {
      switch project.isolation(of: call) {
      case .mainActor where asksForMainThread(Syntax(call), project) && !isInMainBranch(call): break
      case .mainActor, .mainQueue:
        findings.append(
          finding(
            "`DispatchQueue.main.sync` is called on the main thread, which blocks forever",
            at: file.place(call, "waits for the main queue")))
      case .unknown, .actor:
        if !asksForMainThread(Syntax(call), project) && !isOffMain(call) && reported.insert(call.id).inserted
        {
          findings.append(
            finding(
              "`DispatchQueue.main.sync` blocks forever if the caller is on the main thread",
              at: file.place(call, "waits for the main queue")))
        }
      case .queue, .concurrent: break
      }
    }
    return findings
  }

  /// Whether a type or one of its superclasses has a queue.
  private func hasQueue(_ type: TypeInfo?) -> Bool {
    var type = type, depth = 0
    while let current = type, depth < 5 {
      if current.properties.values.contains(where: { $0.plainType == "DispatchQueue" }) { return true }
      type = current.superclass
      depth += 1
    }
    return false
  }

  /// The serial queue of the type on which a call runs its closure.
  private func serialQueue(
    _ call: FunctionCallExprSyntax, _ project: Project, _ names: Set<String>, isAnyKind: Bool = false
  ) -> String? {
    guard names.contains(call.name), let receiver = call.receiver, let path = Path(receiver),
      path.names.count == 1, path.first != "self"
    else { return nil }
    if path.isMember {
      guard let property = project.property(path.first, of: project.type(around: call)),
        property.plainType == "DispatchQueue",
        isAnyKind || property.initialValue?.code.contains("concurrent") != true,
        property.initialValue?.code.contains(".global") != true
      else { return nil }
      return path.first
    }
    return nil
  }

  /// Whether a call stands where `if Thread.isMainThread` holds.
  private func isInMainBranch(_ call: FunctionCallExprSyntax) -> Bool {
    call.ancestors.contains { node in
      guard let branch = node.as(IfExprSyntax.self) else { return false }
      return branch.conditions.first?.code == "Thread.isMainThread"
        && branch.body.position <= call.position && call.position < branch.body.endPosition
    }
  }

  private func isOffMain(_ call: FunctionCallExprSyntax) -> Bool {
    guard let function = call.ancestor(FunctionDeclSyntax.self) else { return false }
    return function.code.contains("notOnQueue(.main)")
      || words(of: function.name.text).contains("background")
  }
}

/// Whether the code around a node asks `Thread.isMainThread`, or asserts the main queue.
func asksForMainThread(_ node: Syntax, _ project: Project) -> Bool {
  func asks(_ place: Syntax) -> Bool {
    place.descendants(DeclReferenceExprSyntax.self).contains {
      $0.position < node.position && saysMainThread($0, project)
    }
  }
  for ancestor in node.ancestors {
    let body =
      ancestor.as(FunctionDeclSyntax.self)?.body ?? ancestor.as(AccessorDeclSyntax.self)?.body
      ?? ancestor.as(InitializerDeclSyntax.self)?.body
    // A getter without the word `get` has no body of its own.
    if let place = body.map({ Syntax($0) }) ?? (ancestor.is(AccessorBlockSyntax.self) ? ancestor : nil) {
      let asserts = place.descendants(FunctionCallExprSyntax.self).contains {
        ["dispatchPrecondition", "preconditionIsolated", "assertIsolated"].contains($0.name)
          && $0.position < node.position
          && ($0.code.contains("main") || $0.code.contains("Main"))
      }
      return asks(place) || asserts
    }
    if ancestor.is(ClosureExprSyntax.self) || ancestor.is(IfExprSyntax.self), asks(ancestor) { return true }
    if declGroup(ancestor) != nil { return false }
  }
  return false
}

/// Whether a name is `isMainThread`, or a property of the project that asks for it.
private func saysMainThread(_ reference: DeclReferenceExprSyntax, _ project: Project) -> Bool {
  let name = reference.baseName.text
  if name == "isMainThread" { return true }
  var owner = project.type(around: reference)
  if let member = reference.parent?.as(MemberAccessExprSyntax.self), member.declName.id == reference.id {
    guard let base = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
    if base != "self" { owner = project.type(named: base, in: owner) }
  }
  return project.property(name, of: owner)?.accessors?.descendants(DeclReferenceExprSyntax.self).contains {
    $0.baseName.text == "isMainThread"
  } == true
}

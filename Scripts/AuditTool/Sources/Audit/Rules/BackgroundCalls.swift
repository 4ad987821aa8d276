import SwiftSyntax

/// Members that screens and views have from their superclasses.
let inheritedViewMembers: Set = [
  "view", "title", "navigationItem", "navigationController", "tableView", "collectionView",
  "setNeedsLayout", "setNeedsDisplay", "reloadData", "present", "dismiss", "backgroundColor", "isHidden",
]

/// Code that runs on a queue of the own type or on a global one.
extension Project {
  /// The queue on which a closure surely runs, if that is not the main queue.
  func backgroundQueue(of closure: ClosureExprSyntax) -> String? {
    guard let call = closure.call?.call, !isOnMain(closure), let receiver = call.receiver,
      ["async", "asyncAfter", "sync", "addOperation", "addBarrierBlock"].contains(call.name)
    else { return nil }
    let code = receiver.code
    if code.contains(".global(") { return code }
    guard let path = Path(receiver), path.isMember, path.names.count == 1,
      let property = property(path.first, of: type(around: closure)), property.isQueue,
      let value = property.initialValue?.code,
      value.hasPrefix("OperationQueue()") || value.hasPrefix("DispatchQueue(label:")
        || value.hasPrefix("DispatchSerialQueue(label:")
    else { return nil }
    return path.first
  }
}

extension CallbackElsewhereRule {
  /// Views that closures on background queues touch.
  func viewUses(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(ClosureExprSyntax.self).compactMap { closure in
      guard let queue = project.backgroundQueue(of: closure), let type = project.type(around: closure),
        project.isMainActor(type),
        let use = isolatedUse(in: closure.statements, project, where: { isView($0, of: type, project) })
      else { return nil }
      return finding(
        "`\(use.name)` belongs to the main thread, and this code runs on `\(queue)`",
        at: file.place(use.node, "runs off the main thread"), [file.place(closure, "runs on `\(queue)`")])
    }
  }

  private func isView(_ name: String, of type: TypeInfo, _ project: Project) -> Bool {
    guard let property = project.property(name, of: type) else {
      return inheritedViewMembers.contains(name)
    }
    return property.plainType.hasPrefix("UI")
      && words(of: property.plainType).last.map {
        [
          "view", "label", "button", "control", "switch", "slider", "bar", "field", "stepper", "picker",
          "controller", "item", "cell",
        ].contains($0)
      } == true
  }

  /// Calls of a delegate on a background queue, whose method in a screen uses the main actor.
  func delegateCalls(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for call in file.all(FunctionCallExprSyntax.self) {
      guard let path = call.receiver.flatMap({ Path($0) }), path.isMember, path.names.count == 1,
        let type = project.type(around: call), let property = project.property(path.first, of: type),
        property.isWeak || NameTable.delegate.ends(path.first),
        let named = project.type(named: property.plainType.replacing("any ", with: ""), in: type),
        named.kind == .protocol, !named.attributes.contains("MainActor"),
        let queue = backgroundQueue(around: call, project)
      else { continue }
      for screen in project.types.values.sorted(by: { $0.name < $1.name })
      where screen.supertypes.contains(where: { $0 === named }) {
        let isScreen = project.isMainActor(screen)
        guard
          let function = project.functions(call.name, of: screen).first(where: {
            $0.signature.parameterClause.parameters.count == call.arguments.count
          }),
          let body = function.body,
          !function.modifiers.contains(where: { $0.name.text == "nonisolated" }),
          let use = isolatedUse(
            in: body.statements, project,
            where: {
              isScreen || project.property($0, of: screen)?.attributes.contains("Published") == true
            }),
          let owner = project.files.first(where: { Syntax($0.tree).id == function.root.id })
        else { continue }
        findings.append(
          finding(
            "`\(path.first)` is called on `\(queue)`, and `\(screen.name)` uses `\(use.name)` of the main actor there",
            at: file.place(call, "called on a background queue"),
            [owner.place(use.node, "runs off the main thread")]))
      }
    }
    return findings
  }

  /// The queue or API on which a call runs, also if private functions are between.
  private func backgroundQueue(
    around node: some SyntaxProtocol, _ project: Project, depth: Int = 0
  ) -> String? {
    for ancestor in node.ancestors {
      if let closure = ancestor.as(ClosureExprSyntax.self) {
        if isOnMain(closure) { return nil }
        if let queue = project.backgroundQueue(of: closure) ?? backgroundAPI(of: closure, project) {
          return queue
        }
        if closure.use == .once || closure.use == .many { continue }
        return nil
      }
      if let function = ancestor.as(FunctionDeclSyntax.self) {
        guard depth < 2, let type = project.type(around: function),
          function.modifiers.contains(where: { ["private", "fileprivate"].contains($0.name.text) })
        else { return nil }
        let queues = type.calls.filter { $0.name == function.name.text && $0.position != node.position }
          .map { backgroundQueue(around: $0, project, depth: depth + 1) }
        return queues.contains(nil) ? nil : queues.first ?? nil
      }
      if declGroup(ancestor) != nil { return nil }
    }
    return nil
  }
}

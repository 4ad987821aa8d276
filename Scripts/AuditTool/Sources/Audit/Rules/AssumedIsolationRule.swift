import SwiftSyntax

/// `assumeIsolated` in code whose queue is not known.
struct AssumedIsolationRule: Rule {
  let kind = "assumed-isolation"
  let consequence = "The app crashes as soon as the callback arrives on another thread."
  let why = "`assumeIsolated` ends the process if the code does not run on the actor."
  let example = """
    session.dataTask(with: url) { data, _, _ in
      MainActor.assumeIsolated { self.render(data) }
    }
    """
  let repair = "`await`, `Task { @MainActor in … }`, or `observe(on:_:)`"
  let repaired = "Task { @MainActor in self.render(data) }"
  let section = "Assumed isolation in async code"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard call.name == "assumeIsolated", call.callee == "MainActor.assumeIsolated",
        let reason = reason(call, project)
      else { return nil }
      return finding(
        "`MainActor.assumeIsolated` \(reason)", at: file.place(call, "ends the process off the main actor"))
    }
  }

  private func reason(_ call: FunctionCallExprSyntax, _ project: Project) -> String? {
    if asksForMainThread(Syntax(call), project) { return nil }
    for node in call.ancestors {
      if let closure = node.as(ClosureExprSyntax.self) {
        if let list = closure.signature?.attributes, attributeNames(list).contains("MainActor") { return nil }
        if isOnMain(closure) { return nil }
        switch project.use(of: closure) {
        case .once, .many: continue
        case .task(let isDetached):
          if isDetached { return "runs in a detached task" }
          if project.isolation(of: closure) == .mainActor { return nil }
          return "runs in a task that is not on the main actor"
        case .later:
          if callsBackOnMain(closure, project) || promisesMain(closure) { return nil }
          return "runs in a callback, and nothing says on which queue it arrives"
        }
      }
      if let function = node.as(FunctionDeclSyntax.self) {
        if attributeNames(function.attributes).contains("MainActor") { return nil }
        if function.signature.effectSpecifiers?.asyncSpecifier != nil,
          project.isolation(of: call) != .mainActor
        {
          return "runs in an async function that is not on the main actor"
        }
        let isNonisolated = function.modifiers.contains { $0.name.text == "nonisolated" }
        if !isNonisolated, project.isolation(of: call) == .mainActor { return nil }
        let name = function.name.text
        // Cocoa runs scripts on the main thread.
        if project.type(around: function)?.inherited.contains("NSScriptCommand") == true { return nil }
        // The delegates of UIKit and AppKit are called on the main thread.
        let parameters = function.signature.parameterClause.parameters
        if let first = parameters.first?.type.code,
          first.hasPrefix("UI") || first.hasPrefix("NS") && !first.hasPrefix("NSURL") || first.hasPrefix("WK")
            || first.hasPrefix("MK")
        {
          return nil
        }
        return "in `\(name)` depends on the queue of the caller"
      }
      if node.is(AccessorDeclSyntax.self) || isMember(node) {
        if project.isolation(of: call) == .mainActor || memberName(around: call) == "objectSpecifier" {
          return nil
        }
        if project.type(around: call) != nil { return "in an accessor depends on the queue of the caller" }
      }
      if node.is(DeinitializerDeclSyntax.self) { return "runs in `deinit`, which can be on any thread" }
      if node.is(InitializerDeclSyntax.self) {
        return project.isolation(of: call) == .mainActor
          ? nil : "in `init` depends on the queue of the caller"
      }
    }
    return nil
  }
}

extension AssumedIsolationRule {
  /// Whether a node is the binding of a property, and not of a local variable.
  private func isMember(_ node: Syntax) -> Bool {
    node.is(PatternBindingSyntax.self)
      && node.parent?.parent?.as(VariableDeclSyntax.self)?.parent?.is(MemberBlockItemSyntax.self) == true
  }

  /// Whether the project shows that an object calls back on the main queue: its function names the
  /// queue, or the queue is a default of its initializer that the object is made with.
  private func callsBackOnMain(_ closure: ClosureExprSyntax, _ project: Project) -> Bool {
    guard let call = closure.call?.call, let path = call.receiver.flatMap({ Path($0) }), path.names.count == 1
    else { return false }
    let scope = project.type(around: call)
    let value =
      path.isMember
      ? project.property(path.first, of: scope)?.initialValue
      : localDeclaration(of: path.first, at: call)?.as(PatternBindingSyntax.self)?.initializer?.value
    guard let made = value?.as(FunctionCallExprSyntax.self),
      let type = project.type(named: made.callee, in: scope)
    else { return false }
    let namesMain = project.functions(call.name, of: type).contains { function in
      function.body?.descendants(LabeledExprSyntax.self).contains { isMainQueue($0.expression) } == true
    }
    return namesMain
      || type.initializers.contains { initializer in
        initializer.signature.parameterClause.parameters.contains { parameter in
          parameter.defaultValue.map { isMainQueue($0.value) } == true
            && made.argument(parameter.firstName.text) == nil
        }
      }
  }

  /// Whether the comment of the function around a closure promises the main queue.
  private func promisesMain(_ closure: ClosureExprSyntax) -> Bool {
    let comment = member(around: closure)?.leadingTrivia.description.lowercased() ?? ""
    return ["only", "arrive", "arrives", "called"].contains { comment.contains("\($0) on the main ") }
  }
}

import SwiftSyntax

/// A group that some path enters and does not leave, or leaves twice.
struct UnbalancedGroupRule: Rule {
  let kind = "unbalanced-group"
  let consequence = "The screen waits forever for its parts, or the app crashes at the second `leave`."
  let why = "Each `enter` of a `DispatchGroup` needs exactly one `leave` on each path."
  let example = """
    group.enter()
    service.load { result in
      guard case .success(let value) = result else { return }
      show(value)
      group.leave()
    }
    """
  let repair = "`runConcurrently` with async services, or `CompletionGroup`, whose entries leave once"
  let repaired = """
    let load = loads.enter()
    service.load { result in
      if case .success(let value) = result { show(value) }
      load.leave()
    }
    """
  let section = "Unbalanced enter and leave"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for body in file.bodies where body.closure == nil || !isNested(body.closure!) {
      let calls = body.statements.descendants(FunctionCallExprSyntax.self)
      let type = project.type(around: body.node)
      let groups = Set(
        calls.filter { $0.name == "enter" && $0.arguments.isEmpty && $0.trailingClosure == nil }.compactMap {
          // `let entry = group.enter()` belongs to another type.
          call in
          call.ancestor(InitializerClauseSyntax.self)?.value.id == ExprSyntax(call).id
            ? nil : call.receiver.flatMap { Path($0)?.text }
        }
      ).filter { name in
        // `self?.enter()` of a screen.
        name != "self" || type?.functions["enter"] == nil
      }
      for group in groups.sorted() {
        let enters = calls.filter { $0.name == "enter" && $0.receiver.flatMap { Path($0)?.text } == group }
        let hasLeave = calls.contains {
          $0.name == "leave" && $0.receiver.flatMap { Path($0)?.text } == group
        }
        guard hasLeave || !isHandedOver(group, calls, enters) else { continue }
        if !hasLeave {
          findings.append(
            finding("`\(group)` is entered and never left", at: file.place(enters[0], "entered here")))
          continue
        }
        findings += check(body, group, enters, file, project)
      }
    }
    return findings
  }

  private func isNested(_ closure: ClosureExprSyntax) -> Bool {
    closure.ancestors.contains {
      $0.is(FunctionDeclSyntax.self) || $0.is(InitializerDeclSyntax.self) || $0.is(ClosureExprSyntax.self)
    }
  }

  /// Whether other code can leave the group.
  private func isHandedOver(
    _ group: String, _ calls: [FunctionCallExprSyntax], _ enters: [FunctionCallExprSyntax]
  ) -> Bool {
    guard let enter = enters.first, let receiver = enter.receiver, let path = Path(receiver) else {
      return true
    }
    // Other code of the object that has the group can leave it.
    if path.isMember || path.names.count > 1 { return true }
    // `self.group = group` in an initializer.
    let block = enter.ancestors.first { $0.is(CodeBlockSyntax.self) }
    let isStored = block?.descendants(SequenceExprSyntax.self).contains { sequence in
      let elements = Array(sequence.elements)
      return elements.count == 3 && elements[1].is(AssignmentExprSyntax.self)
        && Path(elements[0])?.isMember == true && Path(elements[2])?.text == group
    }
    return isStored == true
      || calls.contains { call in call.arguments.contains { Path($0.expression)?.text == group } }
  }

  private struct Balance: Hashable {
    var entered = 0
    var node: Syntax?
  }

  private func check(
    _ body: Body, _ group: String, _ enters: [FunctionCallExprSyntax], _ file: SourceFile, _ project: Project
  )
    -> [Finding]
  {
    func isCall(_ call: FunctionCallExprSyntax, _ name: String) -> Bool {
      call.name == name && call.receiver.flatMap { Path($0)?.text } == group
    }
    var findings: [Finding] = []
    var inClosure: [SyntaxIdentifier: Bool] = [:]
    var over: Set<Syntax> = []
    let counter = CallCounter(project: project) { closure in
      closure.descendants(FunctionCallExprSyntax.self).contains { isCall($0, "leave") }
    } meaning: { event in
      if case .call(let call) = event, isCall(call, "leave") { return .call }
      return .nothing
    }
    func report(_ result: CallCounter.Result, _ closure: ClosureExprSyntax) {
      for missing in result.missing.sorted(by: { $0.exit.position < $1.exit.position }) {
        findings.append(
          finding(
            "a path of the callback ends without `\(group).leave()`",
            at: file.place(missing.exit, "ends without leave"),
            [file.place(enters[0], "entered here")]))
      }
      for (second, first) in result.doubled.sorted(by: { $0.key.position < $1.key.position }) {
        findings.append(
          finding(
            "`\(group)` is left twice on one path, which ends the process",
            at: file.place(second, "left again"),
            [file.place(first, "left first")]))
      }
    }
    let flow = Flow<Balance>(project) { event, state in
      var state = state
      switch event {
      case .call(let call):
        if isCall(call, "enter") { state = Balance(entered: min(3, state.entered + 1), node: Syntax(call)) }
        if isCall(call, "leave") {
          state.entered -= 1
          if state.entered < 0 {
            over.insert(Syntax(call))
            state.entered = 0
          }
        }
      case .closure(let closure):
        guard counter.concerns(closure),
          !closure.descendants(FunctionCallExprSyntax.self).contains(where: { isCall($0, "enter") })
        else {
          return state
        }
        if inClosure[closure.id] == nil {
          inClosure[closure.id] = true
          let result = counter.count(
            closure.statements, isThrowingMissing: { if case .task = closure.use { true } else { false } }())
          if !result.isIncomplete { report(result, closure) }
        }
        state.entered = max(0, state.entered - 1)
      default: break
      }
      return state
    }
    let exits = flow.run(body.statements, from: Balance())
    if exits.isIncomplete { return findings }
    if findings.isEmpty, enters.count > 0, let second = over.min(by: { $0.position < $1.position }),
      Path(enters[0].receiver!)?.isMember == false
    {
      findings.append(
        finding(
          "`\(group)` is left more often than it is entered, which ends the process",
          at: file.place(second, "left again"),
          [file.place(enters[0], "entered here")]))
    }
    let open = (Array(exits.normal) + (exits.returns + exits.throwing).map(\.state)).filter { $0.entered > 0 }
    if findings.isEmpty, let node = open.compactMap(\.node).min(by: { $0.position < $1.position }) {
      findings.append(
        finding("a path enters `\(group)` and does not leave it", at: file.place(node, "entered here")))
    }
    return findings
  }
}

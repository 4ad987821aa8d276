import SwiftSyntax

/// A completion handler that some path does not call, or calls twice.
struct CompletionPathsRule: Rule {
  let kind = "completion-paths"
  let consequence = "The spinner never stops, or the answer is handled twice."
  let why = "The compiler does not check that each path calls a completion handler exactly once."
  let example = """
    func load(completion: @escaping (Result<User, any Error>) -> Void) {
      session.fetch { data in
        guard let data else { return }
        completion(.success(User(data)))
      }
    }
    """
  let repair = "an async function, or `withCompletionHandler` to call the old one"
  let repaired = "func load() async throws -> User { User(try await session.fetch()) }"
  let section = "Callbacks that come twice or never"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for function in file.all(FunctionDeclSyntax.self) {
      guard let body = function.body, function.signature.effectSpecifiers?.asyncSpecifier == nil,
        !body.statements.isEmpty
      else { continue }
      let handlers = Self.handlers(of: function, project)
      guard !handlers.isEmpty else { continue }
      let names = Set(handlers.map(\.name)), optional = handlers.contains(where: \.isOptional)
      let result = Self.counter(project, names, in: Syntax(function)).count(
        body.statements, isThrowingMissing: false)
      guard result.hasCall, !result.isIncomplete else { continue }
      let name = handlers.map { "`\($0.name)`" }.joined(separator: " or ")
      let declared = file.place(function.name, "`\(function.name.text)` promises one call")
      let uses = body.descendants(DeclReferenceExprSyntax.self).filter { names.contains($0.baseName.text) }
      // What a closure under a lock does with the handler decides what its caller has to do, and
      // code for other platforms is another function.
      let isUnclear =
        uses.contains { use in
          use.ancestors.contains { node in
            guard let call = node.as(ClosureExprSyntax.self)?.call?.call else { return false }
            return scopedLock(call) != nil
              || (call.name == "sync" && call.parent?.is(CodeBlockItemSyntax.self) != true)
          }
        } || !body.descendants(IfConfigDeclSyntax.self).isEmpty
      for missing in result.missing.sorted(by: { $0.exit.position < $1.exit.position }) {
        // A handler that may be `nil` promises less, and a caller that is gone needs no answer.
        let isNote =
          missing.isExcused || optional
          // The caller learns from the result that nothing has begun.
          || ["false", "nil"].contains(missing.exit.as(ReturnStmtSyntax.self)?.expression?.code)
          || endsByToken(missing, function)
        if missing.closure == nil, isUnclear { continue }
        findings.append(
          finding(
            missing.isExcused
              ? "\(name) of `\(function.name.text)` is not called if the owner is gone or the work is cancelled"
              : "\(name) of `\(function.name.text)` is not called on a path that ends here",
            at: file.place(missing.exit, "ends without a call"), [declared],
            severity: isNote ? .note : .hazard))
      }
      if isUnclear { continue }
      for (second, first) in result.doubled.sorted(by: { $0.key.position < $1.key.position }) {
        findings.append(
          finding(
            "\(name) of `\(function.name.text)` is called twice on one path",
            at: file.place(second, "called again"),
            [file.place(first, "called first"), declared]))
      }
    }
    return findings
  }

  /// Whether a path ends a task that the caller can cancel with the token that it gets. A cancelled
  /// caller needs no answer.
  private func endsByToken(_ missing: CallCounter.Missing, _ function: FunctionDeclSyntax) -> Bool {
    guard let closure = missing.closure, case .task = closure.use else { return false }
    return function.signature.returnsToken
  }

  static func counter(_ project: Project, _ names: Set<String>, in function: Syntax) -> CallCounter {
    func isHandler(_ expression: ExprSyntax) -> Bool {
      guard let path = Path(expression), !path.isMember, path.names.count == 1 else { return false }
      return names.contains(path.first) && isWithin(expression) && means(path.first, expression)
    }
    /// Whether a name means the parameter, and not that of a closure or of another function.
    func means(_ name: String, _ node: ExprSyntax) -> Bool {
      guard let local = localDeclaration(of: name, at: node) else { return false }
      if let parameter = local.as(FunctionParameterSyntax.self) {
        return parameter.ancestor(FunctionDeclSyntax.self)?.id == function.id
      }
      if let capture = local.as(ClosureCaptureSyntax.self) { return capture.initializer == nil }
      // `if let completion`, `if let done = completion`, `let completion = completion`
      if let binding = local.as(OptionalBindingConditionSyntax.self) {
        return binding.initializer.map { names.contains($0.value.code) } ?? true
      }
      let value = local.as(PatternBindingSyntax.self)?.initializer?.value
      guard let value, names.contains(value.code) else { return false }
      return true
    }
    func isWithin(_ node: some SyntaxProtocol) -> Bool {
      node.root.id == function.root.id && node.position >= function.position
        && node.position < function.endPosition
    }
    return CallCounter(project: project) { closure in
      guard isWithin(closure) else { return false }
      return closure.descendants(DeclReferenceExprSyntax.self).contains { isHandler(ExprSyntax($0)) }
        || closure.descendants(DeclReferenceExprSyntax.self).contains { reference in
          // A local function or closure that calls the handler.
          guard let local = localDeclaration(of: reference.baseName.text, at: reference) else { return false }
          let isClosure =
            local.as(PatternBindingSyntax.self)?.initializer?.value.is(ClosureExprSyntax.self) == true
          guard local.is(FunctionDeclSyntax.self) || isClosure else { return false }
          return local.descendants(DeclReferenceExprSyntax.self).contains { names.contains($0.baseName.text) }
        }
    } meaning: { event in
      switch event {
      case .call(let call):
        if isHandler(call.calledExpression) { return .call }
        // `completion.map { $0(value) }`, `completion.call(value)`
        if call.name == "assertionFailure" { return .impossible }
        return .nothing
      case .read(_, let node, let condition):
        guard let expression = node.as(ExprSyntax.self) else { return .nothing }
        guard isHandler(expression), condition == nil || node.parent?.is(LabeledExprSyntax.self) == true
        else { return .nothing }
        // `_ = completion`
        return .handedOver
      case .assume(let node, let outcome, _):
        if let element = node.as(ConditionElementSyntax.self), isWithin(element) {
          let code = element.condition.trimmedDescription
          for name in names {
            let asks =
              code == "let \(name)" || code.hasPrefix("let \(name) =") || code.hasSuffix("= \(name)")
              || code == "\(name) != nil"
            if asks, outcome == 0 { return .impossible }
            if code == "\(name) == nil", outcome == 1 { return .impossible }
          }
        }
        if bindsSelf(node), outcome == 0 { return .excused }
        if asksForRepetition(node) { return .handedOver }
        if asksForCancellation(node) { return .excused }
        return .nothing
      default: return .nothing
      }
    }
  }

  struct Handler {
    let name: String
    let isOptional: Bool
  }

  /// The parameters that promise one call: a completion, or a pair for success and failure.
  static func handlers(of function: FunctionDeclSyntax, _ project: Project) -> [Handler] {
    let scope = project.type(around: function)
    let closures = function.signature.parameterClause.parameters.compactMap {
      parameter -> (Handler, String)? in
      var type = parameter.type
      var isEscaping = false
      if let attributed = type.as(AttributedTypeSyntax.self) {
        let attributes = attributeNames(attributed.attributes)
        // A C function is a handler of signals or the like, and no promise.
        if attributes.contains("convention") { return nil }
        isEscaping = attributes.contains("escaping")
        type = attributed.baseType
      }
      var code = String(type.code.filter { !$0.isWhitespace })
      let isOptional = code.hasSuffix("?")
      if let alias = project.alias(code, in: scope) { code = String(alias.filter { !$0.isWhitespace }) }
      guard code.contains("->"), isEscaping || isOptional else { return nil }
      let result = code.trimmed("?)")
      guard result.hasSuffix("->Void") || result.hasSuffix("->(") || code.hasSuffix("->()") else {
        return nil
      }
      let name = (parameter.secondName ?? parameter.firstName).text
      return (Handler(name: name, isOptional: isOptional), code)
    }
    let isObserving = NameTable.observing.begins(function.name.text)
    let completions = closures.filter { handler, code in
      let name = handler.name
      if NameTable.completion.isIn(name) { return true }
      guard NameTable.callback.isIn(name), !isObserving, !NameTable.progress.isIn(name) else { return false }
      return code.contains("Result<") || code.contains("Error") || name == "handler" || name == "callback"
        || words(of: name).contains("result")
    }
    if !completions.isEmpty { return completions.count == 1 ? [completions[0].0] : [] }
    let pair = closures.filter { handler, _ in NameTable.outcome.isIn(handler.name) }
    return pair.count == 2 ? pair.map(\.0) : []
  }
}

/// A continuation that some path does not resume, or resumes twice, or that can wait forever.
struct ContinuationRule: Rule {
  let kind = "continuation"
  let consequence = "A task waits forever, or the app crashes at the second resumption."
  let why =
    "A continuation has to be resumed exactly once on each path, and a cancellation does not resume it."
  let example = """
    func image() async -> Image? {
      await withCheckedContinuation { continuation in
        loader.load { data in
          guard let data else { return }
          continuation.resume(returning: Image(data))
        }
      }
    }
    """
  let repair =
    "`withCompletionHandler` or `withCallback`, which resume exactly once, also after a cancellation"
  let repaired = """
    func image() async throws -> Image? {
      try await withCompletionHandler { completion in loader.load(completion: completion) }.map(Image.init)
    }
    """
  let section = "Callbacks that come twice or never"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for call in file.all(FunctionCallExprSyntax.self) {
      guard
        [
          "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
          "withUnsafeThrowingContinuation",
        ]
        .contains(call.name), let closure = call.closures.first?.closure
      else { continue }
      let name = closure.parameterNames.first ?? "$0"
      let result = Self.counter(project, name, in: Syntax(closure)).count(
        closure.statements, isThrowingMissing: true)
      guard !result.isIncomplete else { continue }
      let declared = file.place(call, "waits here")
      if !result.hasCall {
        findings.append(finding("`\(name)` is never resumed, so the task waits forever", at: declared))
        continue
      }
      for missing in result.missing.sorted(by: { $0.exit.position < $1.exit.position }) {
        findings.append(
          finding(
            "`\(name)` is not resumed on a path that ends here, so the task waits forever",
            at: file.place(missing.exit, "ends without resume"), [declared]))
      }
      for (second, first) in result.doubled.sorted(by: { $0.key.position < $1.key.position }) {
        findings.append(
          finding(
            "`\(name)` is resumed twice on one path, which ends the process",
            at: file.place(second, "resumed again"),
            [file.place(first, "resumed first"), declared]))
      }
      if !result.missing.isEmpty || !result.doubled.isEmpty { continue }
      for inner in closure.descendants(ClosureExprSyntax.self) where runsOften(inner) {
        let code = inner.statements.code
        guard
          let resume = inner.descendants(FunctionCallExprSyntax.self).first(where: {
            $0.name == "resume" && $0.receiver?.code == name
          }),
          ![
            "cancel", "invalidate", "removeObserver", "= nil", "stop", "finish", "resumed", "Resumed",
            "didComplete", "isDone", "once",
          ].contains(where: code.contains),
          !code.contains("onChange")
        else { continue }
        // `publisher.first().sink`
        if inner.call?.call.code.contains(".first()") == true
          || inner.call?.call.code.contains(".prefix(1)") == true
        {
          continue
        }
        findings.append(
          finding(
            "`\(name)` is resumed each time this handler is called, and the second time ends the process",
            at: file.place(resume, "resumed for each value"),
            [file.place(inner, "called for each value"), declared]))
      }
      if let endless = endless(closure, name, call, project) {
        findings.append(
          finding(endless.message, at: file.place(endless.node, "can wait forever"), [declared]))
      }
    }
    findings += storedContinuations(file, project)
    return findings
  }

  /// A stored continuation that is resumed and stays in its property, so that the next event
  /// resumes it again.
  private func storedContinuations(_ file: SourceFile, _ project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard call.name == "resume", let path = call.receiver.flatMap({ Path($0) }), path.isMember,
        path.names.count == 1,
        let property = project.property(path.first, of: project.type(around: call)),
        property.type.contains("Continuation"), property.isOptional,
        let function = call.ancestor(FunctionDeclSyntax.self)?.body
          ?? call.ancestor(AccessorDeclSyntax.self)?.body
      else { return nil }
      // An atomic exchange lets one call through.
      func exchanges(_ node: some SyntaxProtocol) -> Bool {
        node.descendants(FunctionCallExprSyntax.self).contains {
          $0.name == "exchange" || $0.name.hasSuffix("Exchange")
        }
      }
      let isClaimed = function.descendants(ConditionElementSyntax.self).contains { condition in
        guard condition.position < call.position else { return false }
        return exchanges(condition)
          || condition.descendants(FunctionCallExprSyntax.self).contains { asked in
            guard let path = Path(asked.calledExpression), path.isMember, path.names.count == 1 else {
              return false
            }
            return project.functions(path.first, of: project.type(around: call)).contains(where: exchanges)
          }
      }
      if isClaimed { return nil }
      let isCleared = function.descendants(SequenceExprSyntax.self).contains { sequence in
        let elements = Array(sequence.elements)
        return elements.count == 3 && Path(elements[0])?.names == path.names
          && elements[1].is(AssignmentExprSyntax.self)
      }
      if isCleared { return nil }
      return finding(
        "`\(path.first)` stays stored after it is resumed, so the next call resumes it again and ends the process",
        at: file.place(call, "resumed, and not set to `nil`"))
    }
  }

  static func counter(_ project: Project, _ name: String, in outer: Syntax) -> CallCounter {
    func isWithin(_ node: some SyntaxProtocol) -> Bool {
      node.root.id == outer.root.id && node.position >= outer.position && node.position < outer.endPosition
    }
    func isContinuation(_ node: some SyntaxProtocol) -> Bool {
      guard let expression = node.as(ExprSyntax.self), let path = Path(expression), !path.isMember else {
        return false
      }
      return path.names == [name] && isWithin(expression)
    }
    /// Whether a closure that runs in place, such as one under a lock, stores the continuation on
    /// one of its paths.
    func stores(_ value: ExprSyntax) -> Bool {
      ([value.as(FunctionCallExprSyntax.self)].compactMap { $0 }
        + value.descendants(FunctionCallExprSyntax.self)).contains { call in
          call.closures.contains { _, closure in
            closure.use == .once && isWithin(closure)
              && closure.descendants(DeclReferenceExprSyntax.self).contains {
                isContinuation(ExprSyntax($0)) && $0.parent?.is(MemberAccessExprSyntax.self) == false
              }
          }
        }
    }
    /// Whether a condition asks what such a closure has returned, and so whether the code that
    /// follows has to resume.
    func asksForStorage(_ node: Syntax) -> Bool {
      guard let element = node.as(ConditionElementSyntax.self), isWithin(element) else { return false }
      let statement = element.parent?.parent
      let decided = statement?.is(GuardStmtSyntax.self) == true ? statement?.parent?.parent : statement
      let resumes = decided?.descendants(FunctionCallExprSyntax.self).contains {
        $0.name == "resume" && $0.position > element.position && $0.receiver.map(isContinuation) == true
      }
      guard resumes == true else { return false }
      var values = element.descendants(FunctionCallExprSyntax.self).map { ExprSyntax($0) }
      var names = element.descendants(DeclReferenceExprSyntax.self).map(\.baseName.text)
      if case .optionalBinding(let binding) = element.condition, binding.initializer == nil {
        names += boundNames(binding.pattern)
      }
      let scope = element.parent ?? node
      values += names.compactMap {
        localDeclaration(of: $0, at: scope)?.as(PatternBindingSyntax.self)?.initializer?.value
      }
      return values.contains(where: stores)
    }
    return CallCounter(project: project) { closure in
      isWithin(closure)
        && closure.descendants(DeclReferenceExprSyntax.self).contains { reference in
          if reference.baseName.text == name { return true }
          // A local closure that resumes.
          let local = localDeclaration(of: reference.baseName.text, at: reference)
          return local?.as(PatternBindingSyntax.self)?.initializer?.value.as(ClosureExprSyntax.self)?
            .descendants(DeclReferenceExprSyntax.self).contains { $0.baseName.text == name } == true
        }
    } meaning: { event in
      switch event {
      case .call(let call):
        if call.name == "resume", let receiver = call.receiver, isContinuation(receiver) { return .call }
        return .nothing
      case .read(let path, let node, _):
        guard path.names.first == name, !path.isMember, isWithin(node) else { return .nothing }
        // The receiver of `resume` is no use of its own.
        if let member = node.parent?.as(MemberAccessExprSyntax.self),
          member.declName.baseName.text == "resume"
        {
          return .nothing
        }
        return .handedOver
      case .assume(let node, _, _):
        return asksForRepetition(node) || asksForStorage(node) ? .handedOver : .nothing
      default: return .nothing
      }
    }
  }

  /// A continuation for something that may never happen, without a cancellation handler around it.
  private func endless(
    _ closure: ClosureExprSyntax, _ name: String, _ call: FunctionCallExprSyntax, _ project: Project
  )
    -> (node: Syntax, message: String)?
  {
    for node in call.ancestors {
      if let outer = node.as(FunctionCallExprSyntax.self), outer.name == "withTaskCancellationHandler" {
        return nil
      }
      if node.is(FunctionDeclSyntax.self) { break }
    }
    for inner in closure.descendants(FunctionCallExprSyntax.self) {
      if inner.name == "withObservationTracking"
        || (inner.name == "addObserver" && inner.argument("forName") != nil)
      {
        return (
          Syntax(inner),
          "the continuation waits for a change that may never come, and a cancellation does not resume it"
        )
      }
    }
    // Stored in one property: a second call replaces the first continuation.
    guard let type = project.type(around: call) else { return nil }
    for sequence in closure.descendants(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self), elements[2].code == name,
        let path = Path(elements[0]), path.isMember, !elements[0].is(SubscriptCallExprSyntax.self),
        let property = project.property(path.first, of: type)
      else { continue }
      let function = call.ancestor(FunctionDeclSyntax.self)
      let before = function.map { Syntax($0) } ?? Syntax(closure)
      // A check or a resumption of the old continuation.
      let isChecked = before.descendants(DeclReferenceExprSyntax.self).contains {
        $0.baseName.text == property.name && $0.position < elements[0].position
      }
      if isChecked { continue }
      return (
        Syntax(elements[0]),
        "a second call replaces the continuation in `\(property.name)`, which then is never resumed; a cancellation does not resume it either"
      )
    }
    return nil
  }
}

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

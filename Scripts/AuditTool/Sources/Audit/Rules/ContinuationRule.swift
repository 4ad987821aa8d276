import SwiftSyntax

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
            missing.isSkipped
              ? "`\(name)` is not resumed if the receiver of this call is `nil`, so the task waits forever"
              : "`\(name)` is not resumed on a path that ends here, so the task waits forever",
            at: file.place(missing.exit, missing.isSkipped ? "skipped if `nil`" : "ends without resume"),
            [declared]))
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
          !code.contains("onChange"),
          !inner.descendants(ConditionElementSyntax.self).contains(where: { asksForRepetition(Syntax($0)) })
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
    return findings + storedContinuations(file, project) + forgottenByCancellation(file, project)
  }

  /// Cancellation handlers that take a continuation out of its property and do not resume it.
  private func forgottenByCancellation(_ file: SourceFile, _ project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard call.name == "withTaskCancellationHandler",
        let handler = call.closures.first(where: { $0.label == "onCancel" })?.closure
      else { return nil }
      let type = project.type(around: call)
      func isContinuation(_ expression: ExprSyntax) -> Bool {
        guard let path = Path(expression) else { return false }
        return project.property(path.first, of: type)?.type.contains("Continuation") == true
          || words(of: path.last).contains {
            ["continuation", "continuations", "waiter", "waiters"].contains($0)
          }
      }
      func removals(_ node: Syntax) -> [Syntax] {
        node.descendants(FunctionCallExprSyntax.self).filter {
          ["removeValue", "remove", "removeAll"].contains($0.name) && $0.receiver.map(isContinuation) == true
        }.map { Syntax($0) }
          + node.descendants(SequenceExprSyntax.self).filter {
            let elements = Array($0.elements)
            return elements.count == 3 && elements[2].is(NilLiteralExprSyntax.self)
              && isContinuation(elements[0])
          }.map { Syntax($0) }
      }
      let called = handler.descendants(FunctionCallExprSyntax.self)
        .flatMap { project.functions($0.name, of: type) }.map { Syntax($0) }
      let code = [Syntax(handler)] + called
      let resumes = code.contains {
        $0.descendants(DeclReferenceExprSyntax.self).contains { $0.baseName.text == "resume" }
      }
      guard !resumes, let removal = code.flatMap(removals).first(where: { $0.root.id == call.root.id }) else {
        return nil
      }
      return finding(
        "the cancellation forgets the continuation and does not resume it, so the task waits forever",
        at: file.place(removal, "forgotten here"), [file.place(call, "waits here")])
    }
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

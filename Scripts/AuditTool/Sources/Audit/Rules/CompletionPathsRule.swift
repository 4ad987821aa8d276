import SwiftSyntax

/// A completion handler that some path does not call, or calls twice.
struct CompletionPathsRule: Rule {
  let kind = "completion-paths"
  let severities: [Severity] = [.hazard, .note]
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
        !body.statements.isEmpty, !Self.followsGesture(function)
      else { continue }
      let handlers = Self.handlers(of: function, project)
      guard !handlers.isEmpty else { continue }
      let names = Set(handlers.map(\.name)), optional = handlers.contains(where: \.isOptional)
      let others = Self.otherAnswers(of: function, names, project)
      let result = Self.counter(project, names, or: others, in: Syntax(function)).count(
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
              : missing.isSkipped
                ? "\(name) of `\(function.name.text)` is not called if the receiver of this call is `nil`"
                : "\(name) of `\(function.name.text)` is not called on a path that ends here",
            at: file.place(missing.exit, missing.isSkipped ? "skipped if `nil`" : "ends without a call"),
            [declared],
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

  /// Whether a function gets a gesture or an event of a control. Its handler answers to one state of
  /// the gesture, and the function is called for each.
  private static func followsGesture(_ function: FunctionDeclSyntax) -> Bool {
    function.signature.parameterClause.parameters.contains { parameter in
      let type = parameter.type.code.trimmed("?!")
      return type.hasSuffix("GestureRecognizer") || ["UIEvent", "NSEvent"].contains(type)
    }
  }

  /// Counts the calls of the parameters `names`. A call of one of `others` answers, too, if the path
  /// ends with it.
  static func counter(
    _ project: Project, _ names: Set<String>, or others: Set<String> = [], in function: Syntax
  ) -> CallCounter {
    func isHandler(_ expression: ExprSyntax) -> Bool {
      // `box.completion` is a member of another object.
      guard expression.parent?.as(MemberAccessExprSyntax.self)?.declName.id != expression.id,
        let path = Path(expression), !path.isMember, path.names.count == 1
      else { return false }
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
    func answersElsewhere(_ call: FunctionCallExprSyntax) -> Bool {
      guard let path = Path(call.calledExpression), !path.isMember, path.names.count == 1,
        others.contains(path.first), isWithin(call), isLastStep(call)
      else { return false }
      return localDeclaration(of: path.first, at: call)?.is(FunctionParameterSyntax.self) == true
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
        if !others.isEmpty, answersElsewhere(call) { return .handedOver }
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

  /// The other closure parameters that can answer instead of the handlers: `cached` beside
  /// `completion`.
  private static func otherAnswers(
    of function: FunctionDeclSyntax, _ handlers: Set<String>, _ project: Project
  ) -> Set<String> {
    Set(closures(of: function, project).map(\.0.name).filter { !NameTable.partial.isIn($0) })
      .subtracting(handlers)
  }

  /// The parameters that promise one call: a completion, or a pair for success and failure.
  static func handlers(of function: FunctionDeclSyntax, _ project: Project) -> [Handler] {
    let closures = closures(of: function, project)
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

  /// The closures that a function gets to call later, each with the code of its type.
  private static func closures(
    of function: FunctionDeclSyntax, _ project: Project
  ) -> [(Handler, String)] {
    let scope = project.type(around: function)
    return function.signature.parameterClause.parameters.compactMap {
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
  }
}

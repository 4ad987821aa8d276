import Audit
import SwiftSyntax

/// A function of an actor that only puts its work on the queue of the actor.
///
/// | before | after |
/// | --- | --- |
/// | `nonisolated func load() { queue.async { self.assumeIsolated { … } } }` | `func load() { … }`, and each caller awaits it |
/// | the same in a `withCheckedContinuation`, which the last statement resumes | an isolated `async` function |
///
/// The work begins at the same place in the order of the queue, because the call of an isolated
/// function is a job of the queue, too.
struct ActorIntent {
  let function: FunctionDeclSyntax
  private let type: TypeInfo
  private let project: Project
  /// The only statement of the function.
  private let statement: CodeBlockItemSyntax
  /// The statements on the actor, and the name of the actor in them.
  private let work: [CodeBlockItemSyntax]
  private let object: String
  /// The name of the continuation that the last statement resumes.
  private let continuation: String?

  /// `nil` if the function does something else.
  init?(_ function: FunctionDeclSyntax, of type: TypeInfo, queue: Set<String>, in project: Project) {
    guard function.modifiers.contains(where: { $0.name.text == "nonisolated" }),
      let statements = function.body?.statements, statements.count == 1, let statement = statements.first
    else { return nil }
    var call = Self.call(statement), continuation: String?
    if let waiting = call, waiting.name == "withCheckedContinuation", waiting.arguments.isEmpty,
      let closure = waiting.trailingClosure, closure.parameterNames.count == 1, closure.statements.count == 1
    {
      continuation = closure.parameterNames[0]
      call = closure.statements.first?.call
    }
    guard let submission = call, submission.name == "async", submission.arguments.isEmpty,
      let receiver = submission.receiver.flatMap({ Path($0) }), receiver.isMember, receiver.names.count == 1,
      queue.contains(receiver.first), var entry = submission.trailingClosure?.statements[...]
    else { return nil }
    if let first = entry.first?.item.as(GuardStmtSyntax.self), first.bindsOnlySelf {
      entry = entry.dropFirst()
    }
    guard entry.count == 1, let enter = entry.first?.call, enter.name == "assumeIsolated",
      ["self", "self?"].contains(enter.receiver?.code), enter.arguments.isEmpty,
      let closure = enter.trailingClosure, closure.parameterNames.count < 2
    else { return nil }
    (self.function, self.type, self.project, self.statement) = (function, type, project, statement)
    (work, object, self.continuation) = (
      Array(closure.statements), closure.parameterNames.first ?? "$0", continuation
    )
  }

  /// The call that a statement is, also behind `return` and `await`.
  private static func call(_ item: CodeBlockItemSyntax) -> FunctionCallExprSyntax? {
    var expression = item.item.as(ExprSyntax.self) ?? item.item.as(ReturnStmtSyntax.self)?.expression
    if let awaited = expression?.as(AwaitExprSyntax.self) { expression = awaited.expression }
    return expression?.as(FunctionCallExprSyntax.self)
  }

  func contains(_ node: Syntax) -> Bool { node.ancestors.contains { $0.id == function.id } }

  func write(_ edits: inout Edits) throws(Refusal) {
    guard let file = project.file(of: function) else { return }
    let calls = try calls()
    var moved = MovedStatements(work, in: file, edits)
    let declared = Set(
      function.descendants(IdentifierPatternSyntax.self).map(\.identifier.text)
        + function.signature.parameterClause.parameters.map(\.name))
    for item in work {
      for use in item.descendants(DeclReferenceExprSyntax.self)
      where use.baseName.text == object && !use.isMemberName {
        let access = use.parent?.as(MemberAccessExprSyntax.self)
        let isInClosure = use.ancestors.prefix { $0.id != item.id }.contains { $0.is(ClosureExprSyntax.self) }
        if let access, access.base?.id == ExprSyntax(use).id, !isInClosure,
          !declared.contains(access.declName.baseName.text)
        {
          moved.replace(access, with: access.declName.code)
        } else {
          moved.replace(use, with: "self")
        }
      }
    }
    if let continuation { try replaceResume(of: continuation, &moved) }
    let lines = edits.comments(of: statement) + moved.lines
    if let lost = [statement].comment(missingIn: lines) {
      throw refusal("the comment `\(lost.text)` has no place in `\(function.name.text)`", lost.token)
    }
    if statement.leadingTrivia.hasNewline {
      edits.replaceLines(statement, with: lines)
    } else if lines.count < 2 {
      edits.replace(statement, with: lines.first ?? "")
    } else {
      throw refusal("give the body of `\(function.name.text)` lines of its own", statement)
    }
    for modifier in function.modifiers where modifier.name.text == "nonisolated" { edits.remove(modifier) }
    for call in calls { edits.insert("await ", before: call) }
  }

  private func replaceResume(of continuation: String, _ moved: inout MovedStatements) throws(Refusal) {
    let uses = work.flatMap { $0.descendants(DeclReferenceExprSyntax.self) }.filter {
      $0.baseName.text == continuation && !$0.isMemberName
    }
    guard uses.count == 1, let resume = work.last?.call, resume.name == "resume",
      resume.receiver?.code == continuation, resume.arguments.count < 2,
      resume.arguments.first.map({ $0.label?.text == "returning" }) != false
    else {
      throw refusal(
        "`\(function.name.text)` does not resume its continuation once, in its last statement", function)
    }
    // Replaces parts of the call, because the value can have changes of its own.
    guard let argument = resume.arguments.first else {
      _ = moved.remove(work.last!)
      return
    }
    moved.replace(
      resume.positionAfterSkippingLeadingTrivia..<argument.expression.positionAfterSkippingLeadingTrivia,
      with: "return ")
    moved.replace(
      argument.expression.endPositionBeforeTrailingTrivia..<resume.endPositionBeforeTrailingTrivia, with: "")
  }

  // MARK: Callers

  /// The calls that have to await the function.
  private func calls() throws(Refusal) -> [FunctionCallExprSyntax] {
    let name = function.name.text
    if continuation == nil,
      function.modifiers.contains(where: { ["public", "open", "package"].contains($0.name.text) })
    {
      throw refusal("`\(name)` is public, and its callers in other modules do not await it", function)
    }
    for (parent, written) in zip(type.inherited.map { project.type(named: $0, in: type) }, type.inherited) {
      let known: Set = ["StateSource", "ViewModelActor", "Identifiable", "CustomStringConvertible"]
      guard continuation == nil, !known.contains(written),
        parent.map({ project.functions(name, of: $0).isEmpty }) != true
      else { continue }
      throw refusal("callers of `\(written)` do not await `\(name)`", function)
    }
    if type.functions[name]?.count != 1 { throw refusal("it has several functions `\(name)`", function) }
    var found: [FunctionCallExprSyntax] = []
    for file in project.files where file.text.contains(name) {
      for reference in file.all(DeclReferenceExprSyntax.self) where reference.baseName.text == name {
        guard let use = use(reference) else { continue }
        guard let call = use.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == use.id
        else {
          throw refusal("`\(name)` is used as a closure, which does not wait", reference)
        }
        if project.type(around: reference) === type {
          throw refusal(
            "the actor calls `\(name)`, whose work would run before other work in the queue", call)
        }
        if continuation != nil { continue }
        guard call.endsTask else {
          throw refusal(
            "`\(call.callee)` is called where code goes on without its work; await it there first", call)
        }
        found.append(call)
      }
    }
    return found
  }

  /// The expression with which code uses the function of an object of the type, as far as names show.
  private func use(_ reference: DeclReferenceExprSyntax) -> ExprSyntax? {
    let around = project.type(around: reference)
    guard let access = reference.parent?.as(MemberAccessExprSyntax.self), access.declName.id == reference.id,
      let base = access.base
    else {
      return around === type && localDeclaration(of: reference.baseName.text, at: reference) == nil
        ? ExprSyntax(reference) : nil
    }
    guard let path = Path(base) else { return ExprSyntax(access) }
    if path.names == ["self"] { return around === type ? ExprSyntax(access) : nil }
    let isCall = access.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == ExprSyntax(access).id
    let written: String? =
      if path.names.count > 1 {
        nil
      } else if path.isMember {
        around.flatMap { project.property(path.first, of: $0) }?.plainType
      } else {
        localDeclaration(of: path.first, at: access)?.as(FunctionParameterSyntax.self)?.type.code
      }
    // `items.count` with an unknown base is a property of a value.
    guard let written, !written.isEmpty else { return isCall ? ExprSyntax(access) : nil }
    let plain = written.replacing("any ", with: "").split(whereSeparator: { "?!".contains($0) }).first ?? ""
    guard let known = project.type(named: String(plain), in: around) else { return nil }
    return known === type || known.kind == .protocol ? ExprSyntax(access) : nil
  }

  private func refusal(_ reason: String, _ node: some SyntaxProtocol) -> Refusal {
    Refusal(reason, at: project.place(node))
  }
}

extension FunctionCallExprSyntax {
  /// Whether the call is the last statement of a task whose end nothing waits for.
  fileprivate var endsTask: Bool {
    guard let item = statement, item.index == item.siblings.count - 1,
      let closure = item.parent?.parent?.as(ClosureExprSyntax.self), case .task = closure.use,
      let start = closure.call?.call.statement
    else { return false }
    // The only statement of a function with a result is the result.
    let owner = start.parent?.parent
    let function = owner?.parent?.as(FunctionDeclSyntax.self)
    return owner?.is(AccessorBlockSyntax.self) != true
      && (start.siblings.count > 1 || function?.signature.returnClause == nil)
  }
}

extension GuardStmtSyntax {
  /// Whether the statement is `guard let self else { return }`.
  fileprivate var bindsOnlySelf: Bool {
    guard conditions.count == 1, case .optionalBinding(let binding)? = conditions.first?.condition else {
      return false
    }
    return binding.pattern.code == "self" && binding.initializer.map { $0.value.code == "self" } != false
      && body.statements.count == 1 && body.statements.first?.code == "return"
  }
}

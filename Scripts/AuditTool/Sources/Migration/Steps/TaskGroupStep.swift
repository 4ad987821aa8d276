import Audit
import SwiftSyntax

/// Step 8 of the guide: the calls of a completion group become child tasks.
struct TaskGroupStep: Step {
  let name = "task-group"
  let summary = "Replaces a CompletionGroup with a task group that awaits the async twins of its calls."
  let subject = "a class or an actor with a local `CompletionGroup`"
  let page = "MigrationRecipes"

  func changes(in scope: Scope) -> [Change] {
    scope.viewModels([.class, .actor]).flatMap { type in
      type.blocks.flatMap { $0.descendants(CodeBlockItemSyntax.self) }.filter { item in
        scope.project.type(around: item) === type
          && item.constant?.value.as(FunctionCallExprSyntax.self)?.callee == "CompletionGroup"
      }.map { item in
        let function = item.ancestor(FunctionDeclSyntax.self)?.name.text ?? "init"
        return Change("\(type.name).\(function).\(item.constant!.name)", in: scope.project) {
          edits throws(Refusal) in
          var group = try TaskGroup(item, in: type, scope.project)
          try group.write(&edits)
        }
      }
    }
  }

  func rest(in scope: Scope) -> String? { scope.rest("CompletionGroup", [.class, .actor]) }
}

/// A completion group whose calls become child tasks.
struct TaskGroup {
  let type: TypeInfo
  let project: Project
  private let declaration: CodeBlockItemSyntax
  private let function: FunctionDeclSyntax
  private let name: String
  private let notification: CodeBlockItemSyntax
  /// The statements from the group to its notification.
  private let statements: ArraySlice<CodeBlockItemSyntax>
  /// The local serial queues that only put the handlers in an order.
  private(set) var partQueues: Set<String> = []
  private var names: Set<String>

  init(_ declaration: CodeBlockItemSyntax, in type: TypeInfo, _ project: Project) throws(Refusal) {
    (self.type, self.project, self.declaration) = (type, project, declaration)
    func refuse(_ reason: String, _ node: some SyntaxProtocol) -> Refusal {
      Refusal(reason, at: project.place(node))
    }
    guard let function = declaration.parent?.parent?.parent?.as(FunctionDeclSyntax.self),
      function.parent?.is(MemberBlockItemSyntax.self) == true,
      !function.modifiers.contains(where: { ["static", "class", "nonisolated"].contains($0.name.text) })
    else {
      throw refuse("the group is not made in a function of the object: move it into one", declaration)
    }
    self.function = function
    name = declaration.constant!.name
    names = Set(function.tokens(viewMode: .sourceAccurate).map(\.text))
    let after = declaration.siblings[declaration.index...]
    let notifications = after.filter {
      $0.call?.name == "notify" && $0.call?.receiver?.code == declaration.constant?.name
    }
    guard notifications.count == 1, let notification = notifications.first else {
      throw refuse("it does not have exactly one notification in `\(function.name.text)`", declaration)
    }
    self.notification = notification
    guard notification.id == declaration.siblings.last?.id else {
      throw refuse("code after the notification would run before the calls", declaration.siblings.last!)
    }
    statements = after.dropFirst().dropLast()
    partQueues = Set(
      declaration.siblings.compactMap { item in
        guard let (name, value) = item.constant, let call = value.as(FunctionCallExprSyntax.self),
          call.callee == "DispatchQueue", call.argument("label") != nil, call.argument("attributes") == nil
        else { return nil }
        return name
      })
    guard let queue = notification.call?.argument("on"), isOwnQueue(queue) else {
      throw refuse(
        type.isActor
          ? "its notification does not run on the queue of the actor"
          : "its notification does not run on the main queue", notification)
    }
  }

  func refusal(_ reason: String, _ node: some SyntaxProtocol) -> Refusal {
    Refusal(reason, at: project.place(node))
  }

  /// Whether code on a queue has the isolation of the new task: the main actor, or that of the actor.
  func isOwnQueue(_ queue: ExprSyntax) -> Bool {
    guard type.isActor else { return ["DispatchQueue.main", ".main"].contains(queue.code) }
    guard let path = Path(queue), path.isMember, path.names.count == 1 else { return false }
    return type.properties[path.first]?.accessors?.code.contains("isolation.queue") == true
  }

  /// Whether statements use the object.
  func usesSelf(_ statements: CodeBlockItemListSyntax) -> Bool {
    statements.descendants(DeclReferenceExprSyntax.self).contains { reference in
      let name = reference.baseName.text
      if name == "self" { return true }
      return !reference.isMemberName && (type.properties[name] != nil || type.functions[name] != nil)
        && localDeclaration(of: name, at: reference) == nil
    }
  }

  // MARK: Writing

  mutating func write(_ edits: inout Edits) throws(Refusal) {
    let parts = try parts(edits)
    guard let closure = notification.call?.closures.first?.closure else {
      throw refusal("its notification has no closure that is written there", notification)
    }
    let end = try TaskGroupHandler(closure, entry: nil, in: self, edits)
    let variables = try movedVariables()
    let capture = try sharedCapture(parts, end)
    let isMainActor = project.isMainActor(type) || attributeNames(function.attributes).contains("MainActor")
    for part in parts where !part.handler.isIsolated && !isMainActor && !type.isActor {
      throw refusal(
        "a handler uses the object outside of the main queue: go to the main queue first", part.call)
    }

    var lines = comments(of: declaration, edits)
    var adapters: [String: String] = [:]
    for service in parts.map(\.service) where adapters[service.property] == nil {
      let name = unused(["\(service.property)Adapter"])
      adapters[service.property] = name
      lines.append("let \(name) = \(service.adapter)(service: \(service.property))")
    }
    lines.append(
      decision(
        "Should a second call, or the end of the screen, cancel these requests? Then keep the task in a `TaskSlot`."
      ))
    let header = [
      type.isActor || project.isMainActor(type) ? nil : "@MainActor", capture == .weak ? "[weak self]" : nil,
    ]
    .compactMap { $0 }
    lines.append("Task {" + (header.isEmpty ? "" : " " + header.joined(separator: " ") + " in"))
    let isLoop = parts.contains { $0.loop != nil }
    guard !isLoop || parts.count == 1 else {
      throw refusal("it has calls in a loop, and others: make two groups", declaration)
    }
    let partType = isLoop ? "" : unused(["Part", "GroupPart"])
    let caseNames = isLoop ? [] : cases(parts)
    if !isLoop { lines += enumeration(partType, caseNames, parts) }
    for variable in variables {
      guard let file = project.file(of: variable) else { continue }
      lines += MovedStatements([variable], in: file, edits).lines.map { "\t" + $0 }
    }
    lines +=
      isLoop
      ? concurrentLoop(parts[0], adapters) : taskGroup(partType, caseNames, parts, adapters)
    lines += comments(of: notification, edits).map { "\t" + $0 }
    let variableNames = Set(variables.flatMap(\.variableNames))
    lines +=
      end.declared.isDisjoint(with: variableNames)
      ? end.lines.map { "\t" + $0 } : ["\tdo {"] + end.lines.map { "\t\t" + $0 } + ["\t}"]
    lines.append("}")

    let old = [declaration] + statements + [notification]
    if let lost = old.comment(missingIn: lines) {
      throw refusal("the comment `\(lost.text)` has no place in a task group", lost.token)
    }
    for item in variables where item.position < declaration.position { edits.removeLines(item) }
    for item in declaration.siblings[..<declaration.index] where isPartQueue(item) { edits.removeLines(item) }
    edits.replaceLines(from: declaration, to: notification, with: lines)
    edits.addImport("AsyncViewModels", to: declaration)
  }

  private func enumeration(_ name: String, _ cases: [String], _ parts: [TaskGroupPart]) -> [String] {
    ["\tenum \(name) {"]
      + zip(cases, parts).map { name, part in
        part.form.payload == .nothing
          ? "\t\tcase \(name)" : "\t\tcase \(name)(Result<\(part.form.value ?? "Void"), any Error>)"
      } + ["\t}"]
  }

  private mutating func taskGroup(
    _ type: String, _ cases: [String], _ parts: [TaskGroupPart], _ adapters: [String: String]
  ) -> [String] {
    let free = unused(["result", "answer", "outcome"]), element = unused(["part", "element"])
    var lines = ["\tawait withTaskGroup(of: \(type).self) { \(name) in"]
    for (name, part) in zip(cases, parts) {
      let call = "\(adapters[part.service.property]!).\(part.awaited)"
      lines += part.comments.map { "\t\t" + $0 }
      lines +=
        part.form.payload == .nothing
        ? ["\t\t\(self.name).addTask {", "\t\t\t_ = try? await \(call)", "\t\t\treturn .\(name)", "\t\t}"]
        : onLines("\(self.name).addTask {", ".\(name)(await Result { try await \(call) })").map {
          "\t\t" + $0
        }
    }
    lines += ["\t\tfor await \(element) in \(name) {", "\t\t\tswitch \(element) {"]
    for (name, part) in zip(cases, parts) {
      let result = part.resultName(free)
      lines.append("\t\t\tcase .\(name)\(result.map { "(let \($0))" } ?? ""):")
      let body = part.body(of: result, leave: "continue")
      lines += (body.allSatisfy(\.isComment) ? body + ["break"] : body).map { "\t\t\t\t" + $0 }
    }
    return lines + ["\t\t\t}", "\t\t}", "\t}"]
  }

  /// A closure on one line, if that is short.
  private func onLines(_ head: String, _ body: String) -> [String] {
    head.count + body.count < 88 ? ["\(head) \(body) }"] : [head, "\t" + body, "}"]
  }

  private mutating func concurrentLoop(_ part: TaskGroupPart, _ adapters: [String: String]) -> [String] {
    guard let loop = part.loop else { return [] }
    let outcome = unused(["outcome", "ended"])
    let call = "try await \(adapters[part.service.property]!).\(part.awaited)"
    var result = part.resultName(unused(["result", "answer"]))
    var isDirect = result == nil, body: [String] = []
    if case .value = part.form.kind, result != nil { (result, isDirect) = (outcome, true) }
    if let result, !isDirect { body = ["guard case .success(let \(result)) = \(outcome) else { return }"] }
    body += part.body(of: result, leave: "return")
    let element = loop.pattern.code, usesElement = body.contains { $0.contains(element) }
    let parameters = "\(usesElement ? element : "_"), \(result == nil ? "_" : outcome)"
    return part.comments.map { "\t" + $0 } + ["\tawait \(loop.sequence.code).runConcurrently { \(element) in"]
      + ["\t\t" + (isDirect ? call : "await Result { \(call) }")]
      + (body.isEmpty
        ? ["\t} receive: { _, _ in }"]
        : ["\t} receive: { \(parameters) in"] + body.map { "\t\t" + $0 } + ["\t}"])
  }
}

// MARK: - Reading

extension TaskGroup {
  /// The pieces of work, in the order of the text.
  private func parts(_ edits: Edits) throws(Refusal) -> [TaskGroupPart] {
    var parts: [TaskGroupPart] = [], pending: (entry: String, comments: [String])?
    func comments(_ item: CodeBlockItemSyntax) -> [String] { self.comments(of: item, edits) }
    for item in statements {
      if let entry = entryName(item) {
        if pending != nil { throw refusal("two entries stand before one call", item) }
        pending = (entry, comments(item))
      } else if let (entry, before) = pending {
        parts.append(
          try TaskGroupPart(
            item, entry: entry, loop: nil, comments: before + comments(item), in: self, edits))
        pending = nil
      } else if let loop = item.item.as(ForStmtSyntax.self), loop.body.statements.count == 2,
        let first = loop.body.statements.first, let entry = entryName(first),
        let call = loop.body.statements.last
      {
        guard loop.whereClause == nil, loop.pattern.is(IdentifierPatternSyntax.self), loop.sequence.isConstant
        else {
          throw refusal("its loop has a condition or a pattern, or its sequence is no constant", loop)
        }
        parts.append(
          try TaskGroupPart(
            call, entry: entry, loop: loop, comments: comments(item) + comments(first) + comments(call),
            in: self, edits))
      } else if !isPartQueue(item), item.item.as(VariableDeclSyntax.self)?.bindingSpecifier.text != "var" {
        throw refusal("`\(item.firstLine)` would run later, with the calls: move it before the group", item)
      }
    }
    let uses = function.descendants(DeclReferenceExprSyntax.self).count { $0.baseName.text == name }
    guard pending == nil, !parts.isEmpty, uses == parts.count + 1 else {
      throw refusal("it is used for more than one call after each enter()", declaration)
    }
    return parts
  }

  /// The name in `let entry = group.enter()`.
  private func entryName(_ item: CodeBlockItemSyntax) -> String? {
    guard let (entry, value) = item.constant, let call = value.as(FunctionCallExprSyntax.self),
      call.name == "enter", call.receiver?.code == name
    else { return nil }
    return entry
  }

  private func isPartQueue(_ item: CodeBlockItemSyntax) -> Bool {
    guard let queue = item.constant?.name, partQueues.contains(queue) else { return false }
    return function.descendants(DeclReferenceExprSyntax.self).allSatisfy { reference in
      guard reference.baseName.text == queue, !reference.isMemberName else { return true }
      return reference.ancestor(CodeBlockItemSyntax.self)?.call?.name == "async"
    }
  }

  /// The variables that the handlers and the notification use, which move into the task.
  private func movedVariables() throws(Refusal) -> [CodeBlockItemSyntax] {
    var moved: [CodeBlockItemSyntax] = []
    for item in declaration.siblings
    where item.item.as(VariableDeclSyntax.self)?.bindingSpecifier.text == "var" {
      let uses = function.descendants(DeclReferenceExprSyntax.self).filter { reference in
        item.variableNames.contains(reference.baseName.text) && !reference.isMemberName
      }
      let inside = uses.filter { $0.position >= declaration.position }
      if inside.isEmpty && item.position < declaration.position { continue }
      if let early = uses.first(where: { $0.position < declaration.position }) {
        throw refusal("`\(early.code)` is used before the group, and belongs to its handlers", early)
      }
      for value in item.item.cast(VariableDeclSyntax.self).bindings.compactMap(\.initializer?.value) {
        let isEmptyValue = value.as(FunctionCallExprSyntax.self).map {
          $0.arguments.isEmpty && $0.closures.isEmpty
            && $0.calledExpression.is(DeclReferenceExprSyntax.self) == false
            && $0.receiver == nil
        }
        guard value.isConstant || isEmptyValue == true else {
          throw refusal("`\(value.code)` would be made later, with the calls", value)
        }
      }
      moved.append(item)
    }
    return moved
  }

  /// How all closures capture `self`.
  private func sharedCapture(
    _ parts: [TaskGroupPart], _ end: TaskGroupHandler
  ) throws(Refusal) -> TaskGroupHandler.Capture {
    let captures = Set((parts.map(\.handler.capture) + [end.capture]).filter { $0 != .none })
    guard captures.count < 2 else {
      throw refusal("some of its closures have a weak `self`, and others a strong one", declaration)
    }
    if type.isActor, captures.contains(.weak) {
      throw refusal(
        "a task with a weak `self` does not run on the actor: capture `self` strongly", declaration)
    }
    return captures.first ?? .none
  }

  /// The comments above a statement, and at the end of its line.
  private func comments(of item: CodeBlockItemSyntax, _ edits: Edits) -> [String] {
    edits.comments(of: item)
      + item.trailingTrivia.pieces.compactMap { piece in
        if case .lineComment(let comment) = piece { return comment }
        return nil
      }
  }

  // MARK: Names

  private mutating func unused(_ candidates: [String]) -> String {
    var all = candidates + (2...9).map { candidates[0] + "\($0)" }
    while all.count > 1, names.contains(all[0]) { all.removeFirst() }
    names.insert(all[0])
    return all[0]
  }

  private func cases(_ parts: [TaskGroupPart]) -> [String] {
    var taken: Set<String> = []
    return parts.map { part in
      var name = part.call.name, number = 2
      while !taken.insert(name).inserted {
        name = "\(part.call.name)\(number)"
        number += 1
      }
      return name
    }
  }
}

extension CodeBlockItemSyntax {
  /// The names that a declaration of variables declares.
  fileprivate var variableNames: [String] {
    item.as(VariableDeclSyntax.self)?.bindings.map(\.pattern.code) ?? []
  }

  fileprivate var firstLine: String { String(item.code.prefix { !$0.isNewline }) }
}

extension String {
  fileprivate var isComment: Bool { hasPrefix("//") || isEmpty }
}

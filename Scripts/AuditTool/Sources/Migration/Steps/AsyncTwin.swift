import Audit
import SwiftParser
import SwiftSyntax

/// The async twin of a protocol, and the adapters between the two.
struct AsyncTwin {
  private let name: String
  private let project: Project
  private let access: String
  private let isSendable: Bool
  private let isMainActor: Bool
  private let isClass: Bool
  /// The columns of the indentation of the protocol, and of one level.
  private let columns: (base: Int, level: Int)
  private var twin: [String] = []
  private var forward: [String] = []
  private var backward: [String] = []
  /// Why there can be no adapter from the twin to the protocol.
  private var obstacle: String?
  private(set) var usesQueue = false
  /// The names and parameters of the async functions.
  private var keys: Set<String> = []
  /// Protocols for requests to which `Task` has to conform.
  var cancellable: Set<String> = []

  init(of node: ProtocolDeclSyntax, in project: Project, _ edits: Edits) throws(Refusal) {
    name = node.name.text
    self.project = project
    columns = (edits.indentation(of: node).columns, edits.indentationUnit(of: node).columns)
    let file = project.file(of: node)
    let inherited = node.inheritanceClause?.inheritedTypes.map { $0.type.code } ?? []
    isSendable = inherited.contains("Sendable")
    isClass = inherited.contains("AnyObject") || inherited.contains("class")
    isMainActor = attributeNames(node.attributes).contains("MainActor")
    access = node.modifiers.map { $0.name.text + " " }.joined()
    guard !attributeNames(node.attributes).contains("objc") else {
      throw Refusal(
        "an @objc protocol has no async twin: adapt its methods by hand", at: file?.place(node.name))
    }
    if let other = inherited.first(where: { !["Sendable", "AnyObject", "class"].contains($0) }) {
      throw Refusal(
        "it inherits `\(other)`, whose requirements an adapter would have to forward",
        at: file?.place(node.name))
    }
    guard node.primaryAssociatedTypeClause == nil else {
      throw Refusal("it has an associated type, so an adapter cannot store it", at: file?.place(node.name))
    }
    for member in node.memberBlock.members {
      let place = file?.place(member)
      if let function = member.decl.as(FunctionDeclSyntax.self) {
        try add(function, edits, place)
      } else if let variable = member.decl.as(VariableDeclSyntax.self) {
        try add(variable, edits, place)
      } else if member.decl.is(AssociatedTypeDeclSyntax.self) {
        throw Refusal("it has an associated type, so an adapter cannot store it", at: place)
      } else if !member.decl.is(TypeAliasDeclSyntax.self) {
        throw Refusal("`\(member.decl.code)` is neither a function nor a property", at: place)
      }
    }
  }

  // MARK: Requirements

  private mutating func add(_ variable: VariableDeclSyntax, _ edits: Edits, _ place: Place?) throws(Refusal) {
    let code = variable.code
    guard let binding = variable.bindings.first, let type = binding.typeAnnotation,
      variable.modifiers.isEmpty,
      let accessors = binding.accessorBlock?.accessors,
      case .accessors(let list) = accessors, list.count == 1, list.first!.effectSpecifiers == nil
    else {
      throw Refusal(
        "`\(code)` is static, async, or can be set, so it does not belong to a service", at: place)
    }
    let name = binding.pattern.code
    twin += edits.comments(of: variable) + [code]
    for body in [\AsyncTwin.forward, \.backward] {
      self[keyPath: body] += ["", "\(memberAccess)var \(name)\(type.code) { service.\(name) }"]
    }
  }

  private mutating func add(_ function: FunctionDeclSyntax, _ edits: Edits, _ place: Place?) throws(Refusal) {
    let name = function.name.text
    func refuse(_ reason: String) -> Refusal { Refusal("`\(name)` \(reason)", at: place) }
    guard function.modifiers.isEmpty else { throw refuse("is \(function.modifiers.trimmedDescription)") }
    let attributes = attributeNames(function.attributes)
    guard attributes.isSubset(of: ["discardableResult", "MainActor"]) else {
      throw refuse("has the attribute `\(attributes.subtracting(["discardableResult", "MainActor"]).min()!)`")
    }
    let signature = function.signature
    for generic in function.genericParameterClause?.parameters ?? [] {
      let constraints =
        (generic.inheritedType?.code ?? "")
        + (function.genericWhereClause?.requirements.trimmedDescription ?? "")
      guard constraints.contains("Sendable") else {
        throw refuse("is generic, and `\(generic.name.text)` is not Sendable: let it be `Sendable` first")
      }
    }
    for parameter in signature.parameterClause.parameters {
      if parameter.type.code.contains("inout") { throw refuse("has an inout parameter") }
      if parameter.ellipsis != nil {
        throw refuse("has a parameter of several values, which no call can pass on")
      }
    }
    guard signature.effectSpecifiers?.throwsClause?.throwsSpecifier.text != "rethrows" else {
      throw refuse("rethrows")
    }
    guard var form = try CompletionForm(of: function, in: project) else {
      let usable = function.renamed(["service"])
      let key = usable.overloadKey(usable.signature.parameterClause.parameters.map { $0 })
      if signature.effectSpecifiers?.asyncSpecifier != nil, !keys.insert(key).inserted {
        throw refuse("has the same async form as another function")
      }
      return forwardAsItIs(usable, edits.comments(of: function))
    }
    try requireSendable(Array(signature.parameterClause.parameters), form, refuse)
    let silent = try checkImplementations(of: function, form)

    let documented = Set(form.names)
    let indices = form.names.compactMap { name in
      signature.parameterClause.parameters.map(\.name).firstIndex(of: name)
    }
    // From here on, the code of the adapters can use all names.
    let request = signature.returnClause.flatMap { $0.type.isVoid ? nil : $0.type.code }
    let returning: Set = request == nil ? [] : ["task", "request"]
    let usable = function.renamed(
      returning.union(["service", "queue", "result", "completion"]), handlers: documented,
      returning.union(["service", "queue", "result", "value", "error"]))
    let all = Array(usable.signature.parameterClause.parameters)
    form.names = indices.map { all[$0].name }
    let handlers = Set(form.names)
    let parameters = all.filter { !handlers.contains($0.name) }
    guard keys.insert(usable.overloadKey(parameters)).inserted else {
      throw refuse("has the same async form as another function")
    }
    let head =
      (attributes.contains("MainActor") ? "@MainActor " : "")
      + "\(memberAccess)func \(name)\(function.genericParameterClause?.code ?? "")("
      + parameters.map { parameter in
        var code = parameter.trimmed
        code.trailingComma = nil
        return code.onOneLine
      }.joined(separator: ", ") + ")"
    let constraint = function.genericWhereClause.map { " " + $0.code } ?? ""
    let requirement = head + " async throws" + (form.value.map { " -> \($0)" } ?? "") + constraint
    let documentation = edits.comments(of: function).filter { line in
      !documented.contains { line.contains("Parameter \($0):") || line.contains("- \($0):") }
    }
    twin += documentation + [String(requirement.dropFirst(memberAccess.count))]

    let isThrowing = signature.effectSpecifiers?.throwsClause != nil
    let call =
      "\(isThrowing ? "try " : "")service.\(name)("
      + all.map { parameter in
        let index = form.names.firstIndex(of: parameter.name)
        return parameter.argument(index.map { form.arguments[$0] } ?? parameter.name)
      }.joined(separator: ", ") + ")"
    let returned = request.map { AsyncTwinRequest($0, project) }
    forward += [""]
    if let silent {
      forward.append(
        decision("`\(silent)` may not call `\(form.names[0])` if it is released. Pass a `deadline:`?"))
    }
    forward += [
      "\(requirement) {",
      form.label.map { "\ttry await withCompletionHandler(\($0): { completion in" }
        ?? "\ttry await withCompletionHandler { completion in",
    ]
    switch returned {
    case nil: forward += ["\t\t\(call)", "\t\treturn .finished"]
    case .token: forward += ["\t\t\(call)"]
    case .cancels(let type):
      let isOptional = type.hasSuffix("?")
      forward += [
        "\t\t\(isKnownSendable(type) ? "" : "nonisolated(unsafe) ")let request = \(call)",
        "\t\treturn CancellationToken { request\(isOptional ? "?" : "").cancel() }",
      ]
    case .unknown(let type):
      throw refuse("returns `\(type)`, and the tool does not know how that cancels the request")
    }
    forward += [form.label == nil ? "\t}" : "\t})", "}"]
    addBackward(usable, form, parameters, returned)
  }

  /// The function of the adapter from the twin to the protocol.
  private mutating func addBackward(
    _ function: FunctionDeclSyntax, _ form: CompletionForm, _ parameters: [FunctionParameterSyntax],
    _ returned: AsyncTwinRequest?
  ) {
    let name = function.name.text
    guard let delivery = form.delivery else {
      obstacle =
        obstacle ?? "the handler of `\(name)` cannot receive every error, such as a `CancellationError`"
      return
    }
    let arguments = parameters.map { $0.argument($0.name) }.joined(separator: ", ")
    let isMainActor = form.isMainActor || self.isMainActor
    var body =
      form.isSendable || self.isMainActor
      ? []
      : form.names.map {
        "\tnonisolated(unsafe) let \($0) = \($0)  // Called once."
      }
    var task = [isMainActor ? "Task { @MainActor in" : "Task {"]
    let result = form.kind == .nothing ? "_" : "let result"
    task.append("\t\t\(result) = await Result { try await service.\(name)(\(arguments)) }")
    if isMainActor {
      task += delivery.map { "\t\t" + $0 }
    } else {
      usesQueue = true
      task +=
        delivery.count == 1
        ? ["\t\tqueue.async { \(delivery[0]) }"]
        : ["\t\tqueue.async {"] + delivery.map { "\t\t\t" + $0 } + ["\t\t}"]
    }
    task.append("\t}")
    switch returned {
    case nil:
      body += ["\t" + task[0]] + task.dropFirst()
    case .token:
      // The token of a task that nothing keeps would cancel it.
      body +=
        ["\tlet task = " + task[0]] + task.dropFirst() + ["\treturn CancellationToken { task.cancel() }"]
    case .cancels(let type):
      guard let made = AsyncTwinRequest.code(toMake: type, project) else {
        obstacle = obstacle ?? "an async function cannot make the `\(type)` that `\(name)` returns"
        return
      }
      if made == "task" { cancellable.insert(type.plainTypeName) }
      body += ["\tlet task = " + task[0]] + task.dropFirst() + ["\treturn \(made)"]
    case .unknown: break
    }
    backward += ["", memberAccess + function.onOneLine + " {"] + body + ["}"]
  }

  /// A requirement without a handler, in the twin and in both adapters.
  private mutating func forwardAsItIs(_ function: FunctionDeclSyntax, _ comments: [String]) {
    let effects = function.signature.effectSpecifiers
    let keywords =
      (effects?.throwsClause == nil ? "" : "try ") + (effects?.asyncSpecifier == nil ? "" : "await ")
    let arguments = function.signature.parameterClause.parameters.map { $0.argument($0.name) }
    twin += comments + [function.onOneLine]
    for body in [\AsyncTwin.forward, \.backward] {
      self[keyPath: body] +=
        ["", memberAccess + function.onOneLine + " {"] + [
          "\t\(keywords)service.\(function.name.text)(\(arguments.joined(separator: ", ")))", "}",
        ]
    }
  }

  private var memberAccess: String { access.contains("public") || access.contains("package") ? access : "" }

  private func isKnownSendable(_ type: String) -> Bool {
    guard let known = project.type(named: type.plainTypeName, in: project.types[name]) else { return false }
    return known.isSendable || known.isActor
  }

  /// Refuses types that an async function would pass between threads.
  private func requireSendable(
    _ parameters: [FunctionParameterSyntax], _ form: CompletionForm, _ refuse: (String) -> Refusal
  ) throws(Refusal) {
    // On the main actor, only the values of the handlers come from another thread.
    let passed = parameters.filter { !isMainActor || form.names.contains($0.name) }.map(\.type.code)
    guard
      let found = project.unsendableType(in: passed + [form.value ?? ""], of: project.types[name])
    else { return }
    throw refuse("passes `\(found.name)` between threads, \(found.reason)")
  }

  // MARK: Implementations

  /// Refuses implementations that do not call the handler exactly once. Returns the name of an
  /// implementation that may not call its handler after its owner is gone.
  private func checkImplementations(
    of requirement: FunctionDeclSyntax, _ form: CompletionForm
  )
    throws(Refusal) -> String?
  {
    var silent: String?
    for type in project.types.values.sorted(by: { $0.name < $1.name }) where type.inherited.contains(name) {
      for function in type.functions[requirement.name.text] ?? [] {
        guard let file = project.file(of: function), !file.isTest,
          function.signature.parameterClause.parameters.map(\.firstName.text)
            == requirement.signature.parameterClause.parameters.map(\.firstName.text)
        else { continue }
        let own = zip(
          requirement.signature.parameterClause.parameters, function.signature.parameterClause.parameters
        )
        .filter { form.names.contains($0.0.name) }.map(\.1.name)
        let called = "`\(type.name).\(function.name.text)`"
        if let place = stored(own, in: function) {
          throw Refusal(
            "\(called) stores its handler, so the tool cannot see that it is called once",
            at: file.place(place))
        }
        guard let promise = project.completionPromise(of: function, handlers: Set(own)), promise.isKnown
        else { continue }
        if let node = promise.doubled.first {
          throw Refusal("\(called) calls its handler twice on a path", at: file.place(node))
        }
        if let node = promise.missing.first {
          throw Refusal("\(called) does not call its handler on a path that ends here", at: file.place(node))
        }
        if !promise.excused.isEmpty { silent = "\(type.name).\(function.name.text)" }
      }
    }
    return silent
  }

  private func stored(_ names: [String], in function: FunctionDeclSyntax) -> DeclReferenceExprSyntax? {
    function.body?.descendants(DeclReferenceExprSyntax.self).first { node in
      guard names.contains(node.baseName.text) else { return false }
      // `handler = completion`, and `handler = isLast ? completion : nil`.
      let choice = node.parent?.as(UnresolvedTernaryExprSyntax.self).map { ExprSyntax($0) }
      let part = choice ?? ExprSyntax(node)
      if let elements = part.parent?.as(ExprListSyntax.self) {
        return elements.first?.is(DiscardAssignmentExprSyntax.self) == false
          && AssignedValue(elements)?.parts.contains { $0.id == part.id } == true
      }
      let call = node.parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(FunctionCallExprSyntax.self)
      return call.map { ["append", "insert", "updateValue"].contains($0.name) } == true
    }
  }

  // MARK: Code

  var lines: [String] {
    code.flatMap { $0.broken(base: columns.base, level: columns.level) }
  }

  private var code: [String] {
    let mainActor = isMainActor ? "@MainActor " : ""
    func initializer(_ parameters: [(String, String)]) -> [String] {
      ["", "\t\(memberAccess)init(" + parameters.map { "\($0): \($1)" }.joined(separator: ", ") + ") {"]
        + parameters.map { "\t\tself.\($0.0) = \($0.0)" } + ["\t}"]
    }
    var lines = ["", "/// The async twin of `\(name)`."]
    lines += ["\(mainActor)\(access)protocol Async\(name): Sendable {"] + twin.map { "\t" + $0 } + ["}"]

    lines += ["", "/// Makes async functions from the completion handlers of `\(name)`."]
    let isChecked = isSendable || isMainActor
    if !isChecked {
      lines.append(
        decision(
          "Can each `\(name)` be called on any thread? Then make it `Sendable`, and delete `@unchecked`."))
    }
    lines += [
      "\(mainActor)\(access)struct \(name)Adapter: Async\(name)\(isChecked ? "" : ", @unchecked Sendable") {"
    ]
    lines += ["\tlet service: any \(name)"]
    if !memberAccess.isEmpty { lines += initializer([("service", "any \(name)")]) }
    lines += forward.map { $0.isEmpty ? "" : "\t" + $0 } + ["}"]

    guard obstacle == nil else {
      return lines + ["", decision("Write an adapter from `Async\(name)` to `\(name)`: \(obstacle!).")]
    }
    lines += ["", "/// Calls completion handlers with the results of `Async\(name)`."]
    let kind = isClass ? "final class" : "struct"
    let sendable = isMainActor || isSendable || (!isClass && memberAccess.isEmpty) ? "" : ", Sendable"
    lines += ["\(mainActor)\(access)\(kind) Async\(name)Adapter: \(name)\(sendable) {"]
    lines += ["\tlet service: any Async\(name)"]
    if usesQueue {
      lines += ["\t/// The queue on which completion handlers are called.", "\tlet queue: DispatchQueue"]
    }
    if isClass || !memberAccess.isEmpty {
      lines += initializer(
        [("service", "any Async\(name)")] + (usesQueue ? [("queue", "DispatchQueue")] : []))
    }
    lines += backward.map { $0.isEmpty ? "" : "\t" + $0 } + ["}"]
    for type in cancellable.sorted() {
      lines += ["", "extension Task: \(type) where Success == Void, Failure == Never {}"]
    }
    return lines
  }
}

import Audit
import SwiftSyntax

/// One piece of work of a completion group: a call of a service, and its completion handler.
struct TaskGroupPart {
  let call: FunctionCallExprSyntax
  /// The loop that makes a call for each element.
  let loop: ForStmtSyntax?
  /// The property with the service, and the adapter that makes async functions from it.
  let service: (property: String, adapter: String)
  /// The code of the awaited call, after the adapter: `fetch(limit: 10)`.
  let awaited: String
  let handler: TaskGroupHandler
  let form: CompletionForm
  let comments: [String]

  init(
    _ item: CodeBlockItemSyntax, entry: String, loop: ForStmtSyntax?, comments: [String],
    in group: TaskGroup, _ edits: Edits
  ) throws(Refusal) {
    guard let call = item.call else {
      throw group.refusal("its request is kept, and can end without the others", item)
    }
    guard let receiver = call.receiver, let path = Path(receiver), path.isMember, path.names.count == 1,
      [path.first, "self.\(path.first)"].contains(receiver.code),
      let property = group.type.properties[path.first]
    else {
      throw group.refusal("`\(call.callee)` is not a function of a service that is a property", call)
    }
    let service = property.plainType
    let twin = group.project.types["Async\(service)"]?.functions[call.name] ?? []
    guard group.project.types["\(service)Adapter"]?.properties["service"] != nil, !property.isOptional,
      twin.contains(where: { $0.signature.effectSpecifiers?.asyncSpecifier != nil })
    else {
      throw group.refusal("`\(call.callee)` has no async twin: run the step async-twin first", call)
    }
    let labels = call.arguments.map { $0.label?.text ?? "_" }
    var forms: [CompletionForm] = []
    for function in group.project.types[service]?.functions[call.name] ?? [] {
      let names = function.signature.parameterClause.parameters.map(\.firstName.text)
      guard names == labels || names.dropLast() == labels[...] else { continue }
      if let form = try CompletionForm(of: function, in: group.project) { forms.append(form) }
    }
    guard forms.count == 1, let form = forms.first, call.closures.count == 1,
      let closure = call.closures.first?.closure
    else { throw group.refusal("its call does not show which function of `\(service)` it means", call) }
    guard form.payload != .unknown else {
      throw group.refusal(
        "the handler of `\(call.name)` gets an error of a certain type, or two closures", call)
    }
    for argument in call.arguments where argument.expression.id != ExprSyntax(closure).id {
      guard argument.expression.isConstant else {
        throw group.refusal("read `\(argument.expression.code)` into a constant before the group", argument)
      }
    }
    self.call = call
    self.loop = loop
    self.service = (path.first, "\(service)Adapter")
    self.form = form
    self.comments = comments
    awaited =
      "\(call.name)("
      + call.arguments.filter { $0.expression.id != ExprSyntax(closure).id }.map { argument in
        argument.with(\.trailingComma, nil).code
      }.joined(separator: ", ") + ")"
    handler = try TaskGroupHandler(closure, entry: entry, isLoop: loop != nil, in: group, edits)
    guard handler.parameters.count == form.parameterCount else {
      throw group.refusal("name the values of this handler", closure)
    }
  }

  /// The code of the handler, after statements that give its parameters their values. `leave` ends it.
  func body(of result: String?, leave: String) -> [String] {
    let bindings = result.map { self.bindings(of: $0, leave: leave) } ?? []
    // A closure can declare the names of its parameters again.
    guard !bindings.isEmpty, !handler.declared.isDisjoint(with: handler.parameters) else {
      return bindings + handler.lines
    }
    return bindings + ["do {"] + handler.lines.map { "\t" + $0 } + ["}"]
  }

  private func bindings(of result: String, leave: String) -> [String] {
    let names = handler.parameters
    func error(_ name: String) -> [String] {
      name == "_"
        ? []
        : ["let \(name): (any Error)? = if case .failure(let failure) = \(result) { failure } else { nil }"]
    }
    return switch form.kind {
    case .value: ["guard case .success(let \(names[0])) = \(result) else { \(leave) }"]
    case .error: error(names[0])
    case .valueAndError:
      (names[0] == "_" ? [] : ["let \(names[0]) = try? \(result).get()"]) + error(names[1])
    default: []
    }
  }

  /// The name for the result of the call. `nil` if the handler does not use it.
  func resultName(_ free: String) -> String? {
    if handler.parameters.allSatisfy({ $0 == "_" }) { return nil }
    if case .result = form.kind { return handler.parameters[0] }
    return free
  }
}

extension CompletionForm {
  enum Payload { case nothing, result, unknown }

  /// What a child task gives to the code after it.
  var payload: Payload {
    switch kind {
    case .nothing: .nothing
    case .result(typed: false), .value, .error(typed: false), .valueAndError(typed: false): .result
    default: .unknown
    }
  }

  fileprivate var parameterCount: Int {
    switch kind {
    case .nothing: 0
    case .valueAndError: 2
    default: 1
    }
  }
}

extension ExprSyntax {
  /// Whether the expression has the same value at any time: a literal, or a local constant.
  var isConstant: Bool {
    switch kind {
    case .integerLiteralExpr, .booleanLiteralExpr, .stringLiteralExpr, .nilLiteralExpr, .floatLiteralExpr:
      return descendants(DeclReferenceExprSyntax.self).allSatisfy { ExprSyntax($0).isConstant }
    case .arrayExpr, .dictionaryExpr:
      return descendants(FunctionCallExprSyntax.self).isEmpty
        && descendants(DeclReferenceExprSyntax.self).allSatisfy { ExprSyntax($0).isConstant }
    case .memberAccessExpr: return self.as(MemberAccessExprSyntax.self)?.base == nil
    case .declReferenceExpr:
      guard let name = self.as(DeclReferenceExprSyntax.self)?.baseName.text,
        let local = localDeclaration(of: name, at: self)
      else { return false }
      if let binding = local.as(PatternBindingSyntax.self) {
        return binding.ancestor(VariableDeclSyntax.self)?.bindingSpecifier.text == "let"
      }
      return local.is(FunctionParameterSyntax.self) || local.is(OptionalBindingConditionSyntax.self)
        || local.is(ForStmtSyntax.self)
    default: return false
    }
  }
}

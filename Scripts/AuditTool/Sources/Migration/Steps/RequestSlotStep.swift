import Audit
import Foundation
import SwiftSyntax

/// Replaces a number that tells the latest request from older ones.
struct RequestSlotStep: Step {
  let name = "request-slot"
  let summary = "Replaces a request number that answers are compared with by a RequestSlot."
  let subject = "a class with a number that late answers are compared with"
  let page = "MigrateOneViewModel"

  func changes(in scope: Scope) -> [Change] {
    scope.viewModels().flatMap { type in
      type.properties.values.filter {
        ["Int", "UInt", "UInt64", "Int64"].contains($0.type) && !$0.isLet && !$0.isStatic
      }
      .sorted { $0.name < $1.name }
      .compactMap { property in
        let numbers = RequestNumber(property: property, type: type, project: scope.project)
        guard numbers.isCompared else { return nil }
        return Change("\(type.name).\(property.name)", in: scope.project) { edits throws(Refusal) in
          try numbers.replace(&edits)
        }
      }
    }
  }
}

private struct RequestNumber {
  let property: Property
  let type: TypeInfo
  let project: Project

  /// A request and the code that receives its answer.
  struct Request {
    /// The statements that make the number of the request.
    let increase: CodeBlockItemSyntax
    let copy: CodeBlockItemSyntax
    let statement: CodeBlockItemSyntax
    let call: FunctionCallExprSyntax
    let closure: ClosureExprSyntax
    let hop: ClosureExprSyntax
    let guarded: GuardStmtSyntax
    let queue: QueueArgument
  }

  /// Whether a copy of the number is compared with it in a closure.
  var isCompared: Bool {
    type.blocks.contains { block in
      block.descendants(SequenceExprSyntax.self).contains { comparison($0) != nil }
    }
  }

  private func isNumber(_ expression: ExprSyntax) -> Bool {
    Path(expression).map { $0.isMember && $0.names == [property.name] } ?? false
  }

  /// The name of the copy that an expression compares with the number.
  private func comparison(_ expression: SequenceExprSyntax) -> String? {
    guard let (left, right) = expression.operation("==") ?? expression.operation("!="),
      let copy = [left, right].first(where: { !isNumber($0) })?.as(DeclReferenceExprSyntax.self)?.baseName
        .text,
      isNumber(left) || isNumber(right),
      let made = localDeclaration(of: copy, at: expression)?.as(PatternBindingSyntax.self)?.initializer,
      isNumber(made.value)
    else { return nil }
    return copy
  }

  func replace(_ edits: inout Edits) throws(Refusal) {
    guard property.declaration.bindings.count == 1, property.attributes.isEmpty, property.accessors == nil
    else {
      throw refusal("its declaration is more than a name and a number", property.declaration)
    }
    var increases: [CodeBlockItemSyntax] = [], copies: [CodeBlockItemSyntax] = []
    var comparisons: [SequenceExprSyntax] = []
    for use in try project.uses(of: property, in: type) {
      if let item = use.statement, let (target, amount) = item.operation("+=") ?? item.operation("&+="),
        target.id == use.id, amount.code == "1"
      {
        increases.append(item)
      } else if let item = use.ancestor(CodeBlockItemSyntax.self), item.constant?.value.id == use.id {
        copies.append(item)
      } else if let compared = use.ancestor(SequenceExprSyntax.self), comparison(compared) != nil {
        comparisons.append(compared)
      } else {
        throw refusal("it is used for more than the comparison of answers", use)
      }
    }
    var requests: [Request] = []
    for compared in comparisons { requests.append(try request(compared, increases, copies)) }
    for copy in copies where !requests.contains(where: { $0.copy.id == copy.id }) {
      throw refusal("a copy of it is not compared with it", copy)
    }
    guard let queue = requests.first?.queue, requests.allSatisfy({ $0.queue == queue }) else {
      throw refusal("its answers are received on different queues", property.declaration)
    }

    let slot = slotName
    guard type.properties[slot] == nil else {
      throw refusal("the type has a property '\(slot)'", property.declaration)
    }
    for item in increases where !requests.contains(where: { $0.increase.id == item.id }) {
      let target = item.operation("+=") ?? item.operation("&+=")
      edits.replace(item.item, with: "_ = \(prefix(of: target!.target))\(slot).cancel()")
    }
    for request in requests {
      edits.removeStatement(request.increase)
      edits.removeStatement(request.copy)
      edits.replace(request.statement.item, with: text(of: request, slot, edits))
    }
    edits.redeclare(property, as: slot, "RequestSlot(queue: \(queue.code))", isLazy: queue.isProperty)
  }

  /// `requestSlot` for `requestID`.
  private var slotName: String {
    for end in ["Identifier", "Number", "Counter", "Token", "ID", "Id"]
    where property.name.hasSuffix(end) && property.name.count > end.count {
      return property.name.dropLast(end.count) + "Slot"
    }
    return property.name + "Slot"
  }

  private func prefix(of use: ExprSyntax) -> String {
    use.as(MemberAccessExprSyntax.self)?.base.map { $0.code + "." } ?? ""
  }

  private func request(
    _ compared: SequenceExprSyntax, _ increases: [CodeBlockItemSyntax], _ copies: [CodeBlockItemSyntax]
  ) throws(Refusal) -> Request {
    guard let condition = compared.parent?.as(ConditionElementSyntax.self),
      let guarded = condition.ancestor(GuardStmtSyntax.self), compared.operation("==") != nil,
      guarded.body.statements.count == 1,
      let leaving = guarded.body.statements.first?.item.as(ReturnStmtSyntax.self), leaving.expression == nil,
      let hop = guarded.ancestor(ClosureExprSyntax.self),
      hop.statements.first?.item.as(GuardStmtSyntax.self)?.id == guarded.id
    else {
      throw refusal("an answer is compared with it elsewhere than in the first guard of a closure", compared)
    }
    guard let (hopCall, _) = hop.call, hopCall.name == "async", hopCall.arguments.isEmpty,
      let queue = QueueArgument(hopCall.receiver, in: type)
    else {
      throw refusal(
        "its answers are received neither on the main queue nor on a serial queue of the type", hop)
    }
    guard let closure = hopCall.ancestor(ClosureExprSyntax.self), closure.statements.count == 1,
      hop.signature?.capture == nil, closure.parameterNames.count == 1,
      let (call, _) = closure.call, let statement = call.statement, statement.call?.id == call.id
    else { throw refusal("the request does more with its answer than to pass it on to the queue", hop) }

    let name = comparison(compared)
    guard
      let copy = copies.first(where: {
        $0.constant?.name == name && $0.siblings.contains { $0.id == statement.id }
      }),
      copy.index > 0, let increase = increases.first(where: { $0.id == copy.siblings[copy.index - 1].id })
    else { throw refusal("it is not increased and copied in the block of the request", compared) }
    guard copy.parent?.count(of: name!) == 1 else {
      throw refusal("'\(name!)' is used for more than one comparison", copy)
    }
    let between = statement.siblings[(copy.index + 1)..<statement.index]
    guard between.allSatisfy({ $0.item.is(ExprSyntax.self) || $0.item.is(VariableDeclSyntax.self) }) else {
      throw refusal("code between it and the request can leave the function", copy)
    }
    try checkForm(call, closure)
    return Request(
      increase: increase, copy: copy, statement: statement, call: call, closure: closure, hop: hop,
      guarded: guarded,
      queue: queue)
  }

  /// Refuses a service whose completion handler a slot cannot pass.
  private func checkForm(_ call: FunctionCallExprSyntax, _ closure: ClosureExprSyntax) throws(Refusal) {
    let service = call.receiver.flatMap(Path.init).flatMap { path in
      path.isMember && path.names.count == 1 ? type.properties[path.first] : nil
    }
    let functions =
      service.flatMap { project.types[$0.plainType] }.map { project.functions(call.name, of: $0) } ?? []
    guard let function = functions.first, functions.count == 1,
      let parameter = function.signature.parameterClause.parameters.last
    else { throw refusal("the declaration of '\(call.name)' is not in these files", call) }
    let form = parameter.type.code.filter { !$0.isWhitespace }
    guard form.contains("(Result<"),
      ["Error>)", "anyError>)", "Swift.Error>)"].contains(where: { form.contains("," + $0) })
    else {
      throw refusal("the completion handler of '\(call.name)' does not take a Result with any error", call)
    }
    guard function.signature.returnClause == nil else {
      throw refusal("'\(call.name)' returns a token, which the slot has to cancel", call)
    }
    if closure.descendants(StringLiteralExprSyntax.self).contains(where: {
      $0.openingQuote.tokenKind == .multilineStringQuote
    }) {
      throw refusal("the code that receives the answer has a string of several lines", closure)
    }
  }

  private func text(of request: Request, _ slot: String, _ edits: Edits) -> String {
    let start = edits.indentation(of: request.statement), unit = edits.indentationUnit(of: request.statement)
    let call = request.call
    let label = completionLabel(call)
    let arguments = call.arguments.filter { !$0.expression.is(ClosureExprSyntax.self) }.map {
      ($0.label.map { $0.text + ": " } ?? "") + $0.expression.code
    }
    let list = (arguments + [label.map { "\($0): completion" } ?? "completion"]).joined(separator: ", ")
    var lines = [
      "\(slot).run { completion in", "\(unit)\(call.calledExpression.code)(\(list))",
      "\(unit)return .finished",
      "} receive: { \(request.closure.signature?.lines ?? "")",
    ]
    if let first = lines.first, let member = request.copy.constant?.value {
      lines[0] = prefix(of: member) + first
    }

    let rest = request.guarded.conditions.filter { element in
      element.condition.as(SequenceExprSyntax.self).map { comparison($0) == nil } ?? true
    }
    var statements =
      rest.isEmpty ? "" : "guard \(rest.map(\.condition.code).joined(separator: ", ")) else { return }"
    if request.guarded.leadingTrivia.hasNewline {
      statements =
        request.guarded.leadingTrivia.description + statements
        + request.guarded.trailingTrivia.description
      for item in request.hop.statements.dropFirst() { statements += item.description }
      statements += request.hop.rightBrace.leadingTrivia.description
    } else {
      let items = request.hop.statements.dropFirst().map { start + unit + unit + $0.item.code }
      statements = (["", start + unit + unit + statements] + items).joined(separator: "\n")
    }
    // The statements stood in one more closure.
    let body = statements.replacingOccurrences(of: "\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .filter { $0.isEmpty || !$0.allSatisfy(\.isWhitespace) }
      .map { $0.hasPrefix(start + unit) ? $0.dropFirst(unit.count) : $0 }
    lines =
      lines.enumerated().map { $0.offset == 0 ? $0.element : start + $0.element } + body.map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return (lines + [start + "}"]).joined(separator: "\n")
  }

  private func completionLabel(_ call: FunctionCallExprSyntax) -> String? {
    let service = call.receiver.flatMap(Path.init).flatMap { type.properties[$0.first] }
    let function = service.flatMap { project.types[$0.plainType] }.flatMap {
      project.functions(call.name, of: $0).first
    }
    let name = function?.signature.parameterClause.parameters.last?.firstName.text
    return name == "_" ? nil : name
  }

  private func refusal(_ reason: String, _ node: some SyntaxProtocol) -> Refusal {
    Refusal(reason, at: project.place(node))
  }
}

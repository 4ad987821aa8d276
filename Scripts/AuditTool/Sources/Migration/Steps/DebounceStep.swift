import Audit
import SwiftSyntax

/// Replaces a work item that each event cancels and schedules again.
struct DebounceStep: Step {
  let name = "debounce"
  let summary = "Replaces a work item that each event cancels and schedules again with a WorkItemDebouncer."
  let subject = "a class with a stored `DispatchWorkItem`"
  let page = "Hazards"

  func changes(in scope: Scope) -> [Change] {
    scope.viewModels().flatMap { type in
      type.properties.values.filter { $0.isWorkItem && $0.isStored && !$0.isStatic }.sorted {
        $0.name < $1.name
      }
      .map { property in
        Change("\(type.name).\(property.name)", in: scope.project) { edits throws(Refusal) in
          try Debounce(property: property, type: type, project: scope.project).make(&edits)
        }
      }
    }
  }
}

private struct Debounce {
  let property: Property
  let type: TypeInfo
  let project: Project

  /// The statements that make a work item, store it and schedule it.
  struct Schedule {
    let target: ExprSyntax
    let closure: ClosureExprSyntax
    let statements: [CodeBlockItemSyntax]
    let delay: String
    let queue: QueueArgument
    let isLazy: Bool
  }

  func make(_ edits: inout Edits) throws(Refusal) {
    guard property.declaration.bindings.count == 1, property.initialValue.map({ $0.code == "nil" }) ?? true,
      property.attributes.isEmpty, property.accessors == nil
    else { throw refusal("its declaration is more than a name and a type", property.declaration) }

    var cancels: [CodeBlockItemSyntax] = [], resets: [CodeBlockItemSyntax] = []
    var schedules: [Schedule] = [], executed: [ExprSyntax] = []
    for use in try project.uses(of: property, in: type) {
      if let call = use.parent?.parent?.parent?.as(FunctionCallExprSyntax.self), call.name == "cancel",
        call.arguments.isEmpty, let item = call.statement
      {
        cancels.append(item)
      } else if let item = use.statement, let (target, value) = item.assignment, target.id == use.id {
        if value.is(NilLiteralExprSyntax.self) {
          resets.append(item)
        } else {
          schedules.append(try schedule(item, target, value))
        }
      } else if use.parent?.is(ForceUnwrapExprSyntax.self) == true {
        executed.append(use)
      } else {
        throw refusal("it is used for more than a delay", use)
      }
    }
    guard let first = schedules.first else {
      throw refusal("no work item is stored in it", property.declaration)
    }
    for use in executed
    where !schedules.contains(where: {
      $0.statements.contains { item in use.ancestors.contains { $0.id == item.id } }
    }) {
      throw refusal("it is used for more than a delay", use)
    }
    if let other = schedules.first(where: { $0.delay != first.delay || $0.queue != first.queue }) {
      throw refusal("its work items have different delays or queues", other.target)
    }
    for schedule in schedules
    where !schedule.statements[0].before.contains(where: { item in cancels.contains { $0.id == item.id } })
      && !schedule.statements.contains(where: { item in cancels.contains { $0.id == item.id } })
    {
      throw refusal(
        "the work item that waits is not cancelled before the next is scheduled, so both run", schedule.target
      )
    }

    for item in resets {
      let near = item.siblings.enumerated().filter { abs($0.offset - item.index) == 1 }.map(\.element)
      guard near.contains(where: { near in cancels.contains { $0.id == near.id } }) else {
        throw refusal("it is set to nil without a call of cancel(), so the work still runs", item)
      }
      edits.removeStatement(item)
    }
    for item in cancels {
      let isReplaced = schedules.contains { schedule in
        schedule.statements.contains { $0.id == item.id }
          || (schedule.statements[0].siblings.first?.id == item.siblings.first?.id
            && schedule.statements[0].index == item.index + 1)
      }
      // `submit` cancels the work that waits.
      if isReplaced {
        edits.removeStatement(item)
      } else if let receiver = item.call?.receiver, let chain = receiver.as(OptionalChainingExprSyntax.self) {
        edits.replace(receiver, with: chain.expression.code)
      }
    }
    for schedule in schedules {
      let kept = schedule.statements.filter { item in !cancels.contains { $0.id == item.id } }
      edits.replace(kept[0].item, with: "\(schedule.target.code).submit \(schedule.closure.lines)")
      for item in kept.dropFirst() { edits.removeStatement(item) }
    }
    edits.redeclare(
      property, as: property.name, "WorkItemDebouncer(delay: \(first.delay), queue: \(first.queue.code))",
      isLazy: first.isLazy)
  }

  /// The work item that a statement stores, and the call that schedules it.
  private func schedule(
    _ item: CodeBlockItemSyntax, _ target: ExprSyntax, _ value: ExprSyntax
  ) throws(Refusal) -> Schedule {
    var creation = value
    var statements = [item]
    let local = value.as(DeclReferenceExprSyntax.self)?.baseName.text
    if let local {
      guard let found = item.siblings.prefix(item.index).last(where: { $0.constant?.name == local }) else {
        throw refusal("its work item is not made in the same block", item)
      }
      creation = found.constant!.value
      statements = [found, item]
    }
    guard let made = creation.as(FunctionCallExprSyntax.self), made.callee == "DispatchWorkItem" else {
      throw refusal("its value is not made by DispatchWorkItem { … }", item)
    }
    guard made.closures.count == 1, made.arguments.allSatisfy({ $0.label?.text == "block" }),
      let closure = made.closures.first?.closure
    else { throw refusal("its work item has a quality of service or flags", made) }

    let scheduled = item.siblings.first {
      guard let call = $0.call, call.name == "asyncAfter", let work = call.argument("execute") else {
        return false
      }
      return local.map { work.code == $0 } ?? (Path(work)?.names == [property.name])
    }
    guard let scheduled, let call = scheduled.call, call.arguments.count == 2 else {
      throw refusal("its work item is not scheduled by asyncAfter(deadline:execute:) in the same block", item)
    }
    statements.append(scheduled)
    let first = statements.map(\.index).min()!, last = statements.map(\.index).max()!
    let window = Array(item.siblings[first...last])
    for between in window where !statements.contains(where: { $0.id == between.id }) {
      guard let call = between.call, call.name == "cancel",
        call.receiver.flatMap(Path.init)?.names == [property.name]
      else {
        throw refusal("other statements stand between its work item and the call that schedules it", between)
      }
    }
    if let local, item.parent?.count(of: local) != 2 {
      throw refusal("its work item '\(local)' is used for more than a delay", item)
    }
    guard let queue = QueueArgument(call.receiver, in: type) else {
      throw refusal("its queue is neither the main queue nor a serial queue of the type", call)
    }
    let (delay, isProperty) = try delay(call)
    return Schedule(
      target: target, closure: closure, statements: window, delay: delay, queue: queue,
      isLazy: isProperty || queue.isProperty)
  }

  /// The delay as a `Duration`, and whether it is a property of the instance.
  private func delay(_ call: FunctionCallExprSyntax) throws(Refusal) -> (code: String, isProperty: Bool) {
    guard let deadline = call.argument("deadline")?.as(SequenceExprSyntax.self),
      let (now, delay) = deadline.operation("+"), [".now()", "DispatchTime.now()"].contains(now.code)
    else { throw refusal("its deadline is not .now() plus a delay", call) }
    if delay.is(FloatLiteralExprSyntax.self) || delay.is(IntegerLiteralExprSyntax.self) {
      return (".seconds(\(delay.code))", false)
    }
    if let interval = delay.as(FunctionCallExprSyntax.self), interval.arguments.count == 1,
      let count = interval.arguments.first?.expression, count.is(IntegerLiteralExprSyntax.self),
      ["seconds", "milliseconds", "microseconds", "nanoseconds"].contains(interval.name)
    {
      return (".\(interval.name)(\(count.code))", false)
    }
    guard let path = Path(delay), path.isMember else {
      throw refusal("its delay is computed for each call, but a WorkItemDebouncer has one delay", delay)
    }
    let owner = path.names.count == 1 ? type : path.first == "Self" ? type : project.types[path.first]
    guard path.names.count <= 2, let constant = owner?.properties[path.last], constant.isLet,
      constant.isStatic == (path.names.count == 2)
    else { throw refusal("its delay is not a constant of a type in these files", delay) }
    guard
      ["TimeInterval", "Double"].contains(constant.type)
        || constant.initialValue?.is(FloatLiteralExprSyntax.self) == true
    else { throw refusal("its delay is not a TimeInterval", delay) }
    return (".seconds(\(path.text))", path.names.count == 1)
  }

  private func refusal(_ reason: String, _ node: some SyntaxProtocol) -> Refusal {
    Refusal(reason, at: project.place(node))
  }
}

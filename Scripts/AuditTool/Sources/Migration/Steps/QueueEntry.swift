import Audit
import SwiftSyntax

/// A closure that runs on the queue of its object.
struct QueueEntry {
  let closure: ClosureExprSyntax
  /// The call that gets the closure.
  let call: FunctionCallExprSyntax

  /// The closures of a type that run on a queue: those of `async`, `asyncAfter` and `sync`, and those of
  /// work items that only the queue runs.
  static func all(in type: TypeInfo, queue: String, _ project: Project) throws(Refusal) -> [QueueEntry] {
    func isQueue(_ expression: ExprSyntax?) -> Bool {
      guard let path = expression.flatMap({ Path($0) }) else { return false }
      return path.isMember && path.names == [queue]
    }
    func isSubmission(_ call: FunctionCallExprSyntax) -> Bool {
      ["async", "asyncAfter", "sync"].contains(call.name) && isQueue(call.receiver)
    }
    var entries: [QueueEntry] = []
    for closure in type.blocks.flatMap({ $0.descendants(ClosureExprSyntax.self) })
    where project.type(around: closure) === type {
      guard let call = closure.call?.call else { continue }
      if isSubmission(call) || call.isRunByToolkit(on: isQueue, in: type, label: closure.call?.label)
        || call.name == "notify" && isQueue(call.argument("queue") ?? call.argument("on"))
        || call.name == "schedule" && isQueue(call.argument("on"))
      {
        entries.append(QueueEntry(closure: closure, call: call))
      } else if call.callee == "DispatchWorkItem",
        let item = call.parent?.ancestor(CodeBlockItemSyntax.self)
          ?? call.parent?.as(CodeBlockItemSyntax.self),
        let constant = item.constant, constant.value.id == ExprSyntax(call).id
      {
        let uses = item.siblings.dropFirst(item.index + 1)
          .flatMap { Syntax($0).descendants(DeclReferenceExprSyntax.self) }
          .filter { $0.baseName.text == constant.name && !$0.isMemberName }
        let submissions = uses.filter { use in
          guard let argument = use.parent?.as(LabeledExprSyntax.self), argument.label?.text == "execute",
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
          else { return false }
          return isSubmission(call)
        }
        let stored = uses.compactMap { use -> String? in
          guard let sides = use.statement?.assignment ?? use.ancestor(CodeBlockItemSyntax.self)?.assignment,
            sides.value.id == ExprSyntax(use).id, let path = Path(sides.target), path.isMember,
            path.names.count == 1
          else { return nil }
          return path.first
        }
        let cancels = uses.filter { use in
          use.parent?.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "cancel"
        }
        guard !submissions.isEmpty, submissions.count + stored.count + cancels.count == uses.count,
          stored.allSatisfy({ type.onlyCancels($0, in: project) })
        else { continue }
        entries.append(QueueEntry(closure: closure, call: call))
      }
    }
    return entries
  }
}

extension FunctionCallExprSyntax {
  /// Whether a part of the toolkit that uses a queue runs a closure of the call there.
  fileprivate func isRunByToolkit(
    on isQueue: (ExprSyntax?) -> Bool, in type: TypeInfo, label: String?
  ) -> Bool {
    guard let path = receiver.flatMap({ Path($0) }), path.isMember, path.names.count == 1,
      let part = type.properties[path.first]?.initialValue?.as(FunctionCallExprSyntax.self),
      isQueue(part.argument("queue"))
    else { return false }
    return switch part.callee {
    case "WorkItemDebouncer", "WorkItemThrottler": name == "submit" && label == nil
    case "RequestSlot": name == "run" && label == "receive"
    default: false
    }
  }
}

extension TypeInfo {
  /// Whether the code of a type only sets and cancels a private work item.
  fileprivate func onlyCancels(_ name: String, in project: Project) -> Bool {
    guard properties[name]?.isPrivate == true else { return false }
    return references(to: [name], in: project).allSatisfy { reference in
      if reference.assignment != nil { return true }
      var top = reference.prefix.isEmpty ? Syntax(reference.node) : reference.node.parent!
      if let chain = top.parent, chain.is(OptionalChainingExprSyntax.self) { top = chain }
      return top.parent?.as(MemberAccessExprSyntax.self)
        .map { ["cancel", "isCancelled"].contains($0.declName.baseName.text) } == true
    }
  }
}

// MARK: - Rewriting

extension GuardedClass {
  /// Whether a statement can be a call with a result that the code does not use.
  private func mayReturnValue(_ statement: CodeBlockItemSyntax) -> Bool {
    guard let call = Syntax(statement.item).as(FunctionCallExprSyntax.self) else { return false }
    if let path = Path(call.calledExpression), path.isMember, path.names.count == 1 {
      return returnsValue(path.first)
    }
    return !["append", "cancel", "forEach", "removeAll", "reverse", "resume", "sort"].contains(call.name)
  }

  /// Lets a closure that runs on the queue enter the actor.
  func write(_ entry: QueueEntry, _ edits: inout Edits) throws(Refusal) {
    let closure = entry.closure
    let uses = ownUses(in: entry)
    guard let first = closure.statements.first, !uses.isEmpty else { return }
    if let parameter = closure.descendants(DeclReferenceExprSyntax.self).first(where: {
      $0.baseName.text.hasPrefix("$") && $0.ancestor(ClosureExprSyntax.self)?.id == closure.id
    }) {
      throw refusal("a closure on the queue uses `\(parameter.code)`: name it", parameter)
    }
    if closure.isAsync { throw refusal("a closure on the queue waits", closure) }

    let isWeak = closure.capture(of: "self") == "weak" || isWeakSelf(around: closure)
    let binding = isWeak ? selfBinding(first) : nil
    if isWeak, binding == nil, let use = uses.first(where: { !$0.beginsStatement }) {
      throw refusal(
        "a closure with a weak `self` does not begin with `guard let self else { return }`", use.node)
    }
    let isOneLine = !closure.code.contains("\n")
    let rest =
      isWeak && binding?.others.isEmpty == true ? closure.statements.dropFirst() : closure.statements[...]
    let dropsValue = entry.call.name != "sync" && rest.count == 1 && mayReturnValue(rest.first!)
    let name =
      isOneLine && !dropsValue && closure.descendants(ClosureExprSyntax.self).isEmpty ? "$0" : objectName
    let isThrowing =
      entry.call.name == "sync" && entry.call.parent?.is(TryExprSyntax.self) == true
      && !(closure.descendants(TryExprSyntax.self).isEmpty
        && closure.descendants(ThrowStmtSyntax.self).isEmpty)
    let owner = binding?.name ?? (isWeak ? "self?" : "self")
    // A single call would make its result that of `assumeIsolated`.
    let signature = name == "$0" ? "" : dropsValue ? " (\(name)) -> Void in" : " \(name) in"
    let enter = "\(isThrowing ? "try " : "")\(owner).assumeIsolated {\(signature)"
    // The first statement inside of the actor.
    let isBindingOnly = binding?.others.isEmpty == true
    guard let start = isBindingOnly ? closure.statements.dropFirst().first : first else { return }

    if isSpread(closure) {
      let unit = edits.indentationUnit(of: first)
      let depth = entries.count { outer in
        isSpread(outer.closure) && !ownUses(in: outer).isEmpty
          && closure.ancestors.contains { $0.id == outer.closure.id }
      }
      let levels = String(repeating: "\t", count: depth)
      let binds = isBindingOnly ? nil : binding.map { "\(levels)guard \($0.code) else { return }" }
      edits.insertLines([binds, levels + enter].compactMap { $0 }, before: start)
      edits.indentLines(from: start, to: closure.rightBrace, by: unit)
      let indentation = edits.indentation(of: first) + String(repeating: unit, count: depth)
      edits.insertLine(indentation + "}", above: closure.rightBrace)
    } else {
      guard binding == nil || isBindingOnly else {
        throw refusal("`guard` does not stand on a line of its own", first)
      }
      edits.insert(enter + " ", before: start)
      edits.insert(" }", after: closure.statements.last!)
    }
    if let binding { edits.removeBinding(binding) }
    for use in uses { edits.rename(use, to: name) }
  }

  /// Whether the statements of a closure stand on lines of their own.
  private func isSpread(_ closure: ClosureExprSyntax) -> Bool {
    closure.statements.first?.leadingTrivia.hasNewline == true && closure.rightBrace.leadingTrivia.hasNewline
  }

  private var objectName: String {
    let taken = Set(type.blocks.flatMap { $0.tokens(viewMode: .sourceAccurate).map(\.text) })
    let names =
      (["ViewModel", "VM", "Presenter"].contains { type.name.hasSuffix($0) } ? ["model"] : []) + [
        "this", "object", "me",
      ]
    return names.first { !taken.contains($0) } ?? "isolatedObject"
  }

  /// The uses of the object that run in an entry, apart from those in closures that run later.
  private func ownUses(in entry: QueueEntry) -> [ObjectUse] {
    func isOwn(_ node: Syntax) -> Bool {
      guard case .entry(let found) = context(of: node) else { return false }
      return found.closure.id == entry.closure.id
    }
    let binding = entry.closure.statements.first.flatMap { selfBinding($0) }
    let objects = entry.closure.descendants(DeclReferenceExprSyntax.self).filter { reference in
      let name = reference.baseName.text
      if let binding, reference.ancestors.contains(where: { $0.id == binding.condition.id }) { return false }
      return isSelf(name, at: reference)
        && (reference.parent?.as(MemberAccessExprSyntax.self).map { $0.declName.id != reference.id } ?? true)
        && isOwn(Syntax(reference))
    }
    let bare = references(in: entry.closure).filter { use in
      use.node.parent?.as(MemberAccessExprSyntax.self).map { Syntax($0.declName).id == use.node.id } != true
        && (type.properties[use.name].map { !$0.isStatic } ?? (type.functions[use.name] != nil))
        && isOwn(use.node)
    }
    return objects.map { .object($0) } + bare.map { .member($0.name, $0.node) }
  }

  /// Whether `self` is weak in the closures around a closure that has no capture list.
  private func isWeakSelf(around closure: ClosureExprSyntax) -> Bool {
    if closure.capture(of: "self") != nil { return false }
    var node = Syntax(closure)
    while let parent = node.parent, declGroup(parent) == nil {
      if let outer = parent.as(ClosureExprSyntax.self) {
        if outer.statements.contains(where: { $0.endPosition <= closure.position && selfBinding($0) != nil })
        {
          return false
        }
        if let capture = outer.capture(of: "self") { return capture == "weak" }
      }
      node = parent
    }
    return false
  }

  /// `guard let self` at the start of a closure that returns if the object is gone.
  private func selfBinding(_ item: CodeBlockItemSyntax) -> SelfBinding? {
    guard let statement = item.item.as(GuardStmtSyntax.self), let condition = statement.conditions.first,
      case .optionalBinding(let binding) = condition.condition,
      binding.initializer.map({ $0.value.code == "self" }) ?? (binding.pattern.code == "self"),
      statement.body.statements.count == 1, statement.body.statements.first?.code == "return"
    else { return nil }
    return SelfBinding(
      name: binding.pattern.code, code: binding.code, condition: condition,
      others: Array(statement.conditions.dropFirst()))
  }
}

/// `let self` in the conditions of a `guard`.
private struct SelfBinding {
  let name: String
  let code: String
  let condition: ConditionElementSyntax
  let others: [ConditionElementSyntax]
}

/// A use of the object: `self`, or a member without `self`.
private enum ObjectUse {
  case object(DeclReferenceExprSyntax)
  case member(String, Syntax)

  var node: Syntax {
    switch self {
    case .object(let node): Syntax(node)
    case .member(_, let node): node
    }
  }

  /// Whether the use is `self?.` at the start of a statement.
  var beginsStatement: Bool {
    guard case .object(let node) = self, node.parent?.is(OptionalChainingExprSyntax.self) == true else {
      return false
    }
    return node.ancestor(CodeBlockItemSyntax.self)?.item.position == node.position
  }
}

extension Edits {
  fileprivate mutating func rename(_ use: ObjectUse, to name: String) {
    switch use {
    case .object(let node):
      let chain = node.parent?.as(OptionalChainingExprSyntax.self)
      replace(chain.map { Syntax($0) } ?? Syntax(node), with: name)
    case .member(let member, let node):
      if node.is(DeclReferenceExprSyntax.self) {
        insert(name + ".", before: node)
      } else if let binding = node.as(OptionalBindingConditionSyntax.self) {
        insert(" = \(name).\(member)", after: binding.pattern)
      } else if node.is(ClosureCaptureSyntax.self) {
        insert(" = \(name).\(member)", after: node)
      }
    }
  }

  /// Removes the binding from the conditions of a `guard` that has others.
  fileprivate mutating func removeBinding(_ binding: SelfBinding) {
    guard let next = binding.others.first else { return }
    replace(
      binding.condition.positionAfterSkippingLeadingTrivia, next.positionAfterSkippingLeadingTrivia,
      in: binding.condition, with: "")
  }
}

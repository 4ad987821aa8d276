import SwiftSyntax

/// When a closure runs.
public enum ClosureUse: Hashable, Sendable {
  /// Exactly once, before the call returns: `withLock`, `sync`, `withCheckedContinuation`.
  case once
  /// Any number of times, before the call returns: `map`, `forEach`.
  case many
  /// In a new task.
  case task(isDetached: Bool)
  /// Later, or the closure is stored.
  case later
}

private let calledOnce: Set = [
  "withLock", "withLockUnchecked", "withLockIfAvailable", "sync", "withCheckedContinuation",
  "withCheckedThrowingContinuation", "withUnsafeContinuation", "withUnsafeThrowingContinuation",
  "withTaskGroup",
  "withThrowingTaskGroup", "withDiscardingTaskGroup", "withThrowingDiscardingTaskGroup",
  "withTaskCancellationHandler",
  "autoreleasepool", "withAnimation", "assumeIsolated", "performAndWait", "withObservationTracking",
  "withExtendedLifetime", "withMutation", "performWithoutAnimation", "withTransaction", "withUnsafeBytes",
  "withUnsafeMutableBytes", "withUnsafePointer", "withUnsafeMutablePointer", "synchronized",
  "withMemoryRebound",
  "withCriticalRegion", "whileLocked", "locked", "withLockVoid", "withValue", "Result",
]
private let calledOften: Set = [
  "forEach", "map", "flatMap", "compactMap", "filter", "reduce", "contains", "first", "last", "sort",
  "sorted",
  "allSatisfy", "min", "max", "firstIndex", "lastIndex", "removeAll", "drop", "prefix", "mapValues",
  "compactMapValues", "partition", "concurrentPerform", "lazy", "enumerated", "grouping", "mapError",
  "flatMapError",
  "filtered", "sorting", "index", "count", "split", "trimmingPrefix", "elementsEqual", "merge", "merging",
  "zip",
  "sum", "stride", "uniqued", "chunked", "enumerateObjects",
]

extension ClosureExprSyntax {
  public var use: ClosureUse {
    guard let (call, label) = call else {
      // `{ … }()`
      return parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == ExprSyntax(self).id
        ? .once : .later
    }
    let name = call.name
    if name == "sync",
      call.arguments.contains(where: { !["execute", "flags"].contains($0.label?.text ?? "") })
    {
      // `client.sync(account) { … }` is no queue.
      return .later
    }
    if calledOnce.contains(name) {
      if name == "withTaskCancellationHandler" { return label == "onCancel" ? .later : .once }
      if name == "withObservationTracking", label != nil { return .later }
      return .once
    }
    // `UIGraphicsImageRenderer(size: size).image { … }`
    if ["image", "pngData", "jpegData", "pdfData"].contains(name), label == nil || label == "actions",
      call.callee.lowercased().contains("renderer")
    {
      return .once
    }
    if name == "run", call.callee.hasSuffix("MainActor.run") { return .once }
    // The animations of a view run before the call returns, its completion afterwards.
    if name == "animate", call.callee == "UIView.animate", parameterNames.isEmpty,
      label == "animations" || label == nil && call.argument("animations") == nil
    {
      return .once
    }
    if calledOften.contains(name) || label == "grouping" { return combineOperators(call) ? .later : .many }
    if ["grouping", "uniquingKeysWith"].contains(label) || (name == "Dictionary" && label == "by") {
      return .many
    }
    if name == "Task" || (["init", "detached", "immediate"].contains(name) && call.callee.hasPrefix("Task")) {
      return .task(isDetached: name == "detached")
    }
    return .later
  }

  /// Whether a `map` or `filter` belongs to a publisher, and so runs for each of its values.
  private func combineOperators(_ call: FunctionCallExprSyntax) -> Bool {
    var node = call.receiver
    while let current = node {
      if let member = current.as(MemberAccessExprSyntax.self) {
        let name = member.declName.baseName.text
        if name.hasPrefix("$") || name.lowercased().hasSuffix("publisher") || name.hasSuffix("Subject") {
          return true
        }
        node = member.base
      } else if let inner = current.as(FunctionCallExprSyntax.self) {
        if ["debounce", "throttle", "removeDuplicates", "receive", "eraseToAnyPublisher", "combineLatest"]
          .contains(inner.name)
        {
          return true
        }
        if inner.name.lowercased().hasSuffix("publisher") { return true }
        node = inner.receiver
      } else {
        let code = current.code
        return code.hasPrefix("$") || code.lowercased().hasSuffix("publisher") || code.hasSuffix("Subject")
      }
    }
    return false
  }
}

extension Project {
  /// When a closure runs. A function of the own type, of the type of a property, or of the one object
  /// of a type, such as `Batch.shared`, runs the closure in place if its parameter does not escape.
  func use(of closure: ClosureExprSyntax) -> ClosureUse {
    let use = closure.use
    guard use == .later, let (call, label) = closure.call, let path = Path(call.calledExpression),
      path.names.count == 1 || path.names.count == 2 && path.isMember || path.names.count == 3
    else { return use }
    let scope = type(around: call)
    let candidates =
      path.names.count == 3
      ? functions(path.last, of: object(path, in: scope))
      : path.names.count == 2
        ? functions(
          path.last,
          of: property(path.first, of: scope).flatMap { type(named: $0.plainType, in: scope) }
            ?? type(named: path.first, in: scope))
        : path.isMember
          ? functions(path.first, of: scope)
          : [localDeclaration(of: path.first, at: call)?.as(FunctionDeclSyntax.self)].compactMap { $0 }
    guard candidates.count == 1 else { return use }
    let parameters = candidates[0].signature.parameterClause.parameters.filter {
      $0.type.code.contains("->") || alias($0.type.code, in: scope)?.contains("->") == true
    }
    let parameter =
      label == nil
      ? (parameters.count == 1 || call.trailingClosure?.id == closure.id ? parameters.last : nil)
      : parameters.first { $0.firstName.text == label }
    guard let parameter else { return use }
    let attributed = parameter.type.as(AttributedTypeSyntax.self)
    let written = attributed?.baseType ?? parameter.type
    let isInPlace =
      (written.is(FunctionTypeSyntax.self) || alias(written.code, in: scope)?.hasSuffix("?") == false)
      && attributed.map { attributeNames($0.attributes).contains("escaping") } != true
    return isInPlace ? .once : use
  }

  /// The type of an object like `Batch.shared`, if it is a property of its own type.
  private func object(_ path: Path, in scope: TypeInfo?) -> TypeInfo? {
    guard let type = type(named: path.first, in: scope),
      let property = property(path.names[1], of: type), property.isStatic,
      property.plainType == type.name || property.plainType == "Self"
    else { return nil }
    return type
  }
}

extension Project {
  /// Whether a condition such as `let self` always holds: it stands in a closure that runs in place,
  /// and the code around the closure keeps the owner alive, whatever the closure captures.
  func keepsOwner(at element: ConditionElementSyntax) -> Bool {
    guard ownerIsGone(Syntax(element), outcome: 0) else { return false }
    var isInPlace = false
    for ancestor in element.ancestors {
      if isInPlace, let list = ancestor.as(CodeBlockItemListSyntax.self) {
        let isUnwrapped = list.contains { item in
          item.position < element.position
            && item.item.as(GuardStmtSyntax.self)?.conditions.contains {
              ownerIsGone(Syntax($0), outcome: 0)
            } == true
        }
        if isUnwrapped { return true }
      }
      if let closure = ancestor.as(ClosureExprSyntax.self) {
        if [.once, .many].contains(use(of: closure)) {
          isInPlace = true
        } else if closure.capture(of: "self") == "weak" {
          return false
        }
      }
      if ancestor.is(MemberBlockItemSyntax.self) { return isInPlace }
    }
    return false
  }
}

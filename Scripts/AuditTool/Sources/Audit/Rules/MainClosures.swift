import SwiftSyntax

/// Whether an API calls a closure on the main thread.
func isOnMain(_ closure: ClosureExprSyntax) -> Bool {
  guard let call = closure.call?.call else {
    return assignedTo(closure).map { startsOnMain($0, closure) } ?? false
  }
  let callee = call.callee
  if callee.hasPrefix("DispatchQueue.main.") || callee.hasPrefix("OperationQueue.main.")
    || callee.hasPrefix("RunLoop.main.")
  {
    return true
  }
  if callee == "MainActor.run" || callee == "MainActor.assumeIsolated" { return true }
  if ["scheduledTimer"].contains(call.name) || callee == "Timer" || callee == "CADisplayLink" { return true }
  if call.arguments.contains(where: {
    ["queue", "on", "scheduler", "to"].contains($0.label?.text ?? "") && isMainQueue($0.expression)
  }) {
    return true
  }
  if [
    "animate", "present", "dismiss", "transition", "performBatchUpdates", "addAction", "UIAction",
    "UIAlertAction",
  ].contains(call.name) {
    return true
  }
  if ["setEventHandler", "setCancelHandler", "setRegistrationHandler"].contains(call.name),
    let source = call.receiver.flatMap({ Path($0) }), isMadeOnMain(source, closure)
  {
    return true
  }
  // `publisher.receive(on: DispatchQueue.main).sink { … }`
  var node = call.receiver
  while let current = node {
    guard
      let inner = current.as(FunctionCallExprSyntax.self)
        ?? current.as(MemberAccessExprSyntax.self)?.base?.as(FunctionCallExprSyntax.self)
    else { break }
    if inner.name == "receive" || inner.name == "debounce" || inner.name == "throttle",
      inner.arguments.contains(where: { isMainQueue($0.expression) })
    {
      return true
    }
    if inner.callee == "Timer.publish" { return true }
    node = inner.receiver
  }
  return false
}

/// The property to which a closure is assigned: `monitor.pathUpdateHandler = { … }`.
func assignedTo(_ closure: ClosureExprSyntax) -> MemberAccessExprSyntax? {
  guard let elements = closure.parent?.as(ExprListSyntax.self), elements.count == 3,
    elements.last?.id == ExprSyntax(closure).id
  else { return nil }
  return elements.first?.as(MemberAccessExprSyntax.self)
}

/// Whether the object whose handler is set is started on the main queue in the same type:
/// `monitor.start(queue: .main)`.
func startsOnMain(_ target: MemberAccessExprSyntax, _ closure: ClosureExprSyntax) -> Bool {
  guard let base = target.base.flatMap({ Path($0) }) else { return false }
  let group = closure.ancestors.first { declGroup($0) != nil } ?? closure.root
  return group.descendants(FunctionCallExprSyntax.self).contains {
    $0.name.hasPrefix("start") && $0.receiver.flatMap { Path($0)?.last } == base.last
      && $0.argument("queue").map(isMainQueue) == true
  }
}

/// Whether a dispatch source is made for the main queue in the same type:
/// `timer = DispatchSource.makeTimerSource(queue: .main)`.
private func isMadeOnMain(_ source: Path, _ closure: ClosureExprSyntax) -> Bool {
  let group = closure.ancestors.first { declGroup($0) != nil } ?? closure.root
  let made = group.descendants(FunctionCallExprSyntax.self).filter { call in
    guard call.name.hasPrefix("make"), call.name.hasSuffix("Source") else { return false }
    let target = call.parent?.as(ExprListSyntax.self)?.first.flatMap { Path($0)?.last }
    return (target ?? call.ancestor(PatternBindingSyntax.self)?.pattern.code) == source.last
  }
  return !made.isEmpty && made.allSatisfy { $0.argument("queue").map(isMainQueue) == true }
}

func isMainQueue(_ expression: ExprSyntax) -> Bool {
  let code = expression.code
  return [
    ".main", "DispatchQueue.main", "OperationQueue.main", "RunLoop.main", "UIScheduler.shared",
    "ImmediateScheduler.shared",
  ].contains(code)
}

import SwiftSyntax

/// What isolates code.
public enum CodeIsolation: Hashable, Sendable {
  case mainActor
  case actor
  /// On a dispatch queue, with the code of the queue.
  case queue(String)
  /// On the main queue or in `DispatchQueue.main.async`, without the compiler's knowledge.
  case mainQueue
  /// Concurrently with other code.
  case concurrent
  /// Not known: a caller decides.
  case unknown
}

extension Project {
  /// The isolation of the code at a node, as its attributes, type and closures say.
  public func isolation(of node: some SyntaxProtocol) -> CodeIsolation {
    for node in node.ancestors {
      if let closure = node.as(ClosureExprSyntax.self) {
        if let list = closure.signature?.attributes, attributeNames(list).contains("MainActor") {
          return .mainActor
        }
        switch use(of: closure) {
        case .once:
          guard let call = closure.call?.call else { continue }
          if call.callee == "MainActor.run" || call.callee == "MainActor.assumeIsolated" { return .mainActor }
          if call.name == "sync" {
            return call.callee == "DispatchQueue.main.sync" ? .mainQueue : .queue(call.receiver?.code ?? "")
          }
          if call.name.hasSuffix("TaskGroup") { continue }
          continue
        case .many:
          if closure.call?.call.name == "concurrentPerform" { return .concurrent }
          continue
        case .task(let isDetached):
          if isDetached { return .concurrent }
          continue
        case .later:
          guard let call = closure.call?.call else { return .unknown }
          if ["async", "asyncAfter", "asyncAndWait"].contains(call.name), let queue = call.receiver?.code {
            if queue == "DispatchQueue.main" || queue == ".main" { return .mainQueue }
            return queue.contains(".global(") ? .concurrent : .queue(queue)
          }
          if ["addTask", "addTaskUnlessCancelled"].contains(call.name) { return .concurrent }
          if ["addOperation", "addBarrierBlock"].contains(call.name), let queue = call.receiver?.code {
            return queue == "OperationQueue.main" ? .mainQueue : .queue(queue)
          }
          return .unknown
        }
      }
      if let function = node.as(FunctionDeclSyntax.self) {
        if attributeNames(function.attributes).contains("MainActor") { return .mainActor }
        if attributeNames(function.attributes).contains("concurrent") { return .concurrent }
        if function.modifiers.contains(where: { $0.name.text == "nonisolated" }) { return .unknown }
        if function.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }),
          type(around: function)?.isActor == true
        {
          return .unknown
        }
      }
      if let initializer = node.as(InitializerDeclSyntax.self) {
        if attributeNames(initializer.attributes).contains("MainActor") { return .mainActor }
        if initializer.modifiers.contains(where: { $0.name.text == "nonisolated" }) { return .unknown }
      }
      if node.is(DeinitializerDeclSyntax.self) { return .unknown }
      if let variable = node.as(VariableDeclSyntax.self),
        variable.parent?.is(MemberBlockItemSyntax.self) == true
      {
        if attributeNames(variable.attributes).contains("MainActor") { return .mainActor }
        if variable.modifiers.contains(where: { $0.name.text == "nonisolated" }) { return .unknown }
      }
      if let group = declGroup(node) {
        if group.kind == .extensionDecl, attributeNames(group.attributes).contains("MainActor") {
          return .mainActor
        }
        guard let type = info(of: group) else { return .unknown }
        if type.isActor { return .actor }
        return isMainActor(type) ? .mainActor : .unknown
      }
    }
    return .unknown
  }
  /// Whether code runs on the main actor: it says so, or it stands in a private synchronous function
  /// that only code on the main actor calls.
  func isOnMainActor(_ node: some SyntaxProtocol, depth: Int = 0) -> Bool {
    if isolation(of: node) == .mainActor { return true }
    guard depth < 3, let function = member(around: node)?.as(FunctionDeclSyntax.self),
      function.modifiers.contains(where: { ["private", "fileprivate"].contains($0.name.text) }),
      function.signature.effectSpecifiers?.asyncSpecifier == nil,
      // A closure that runs later can be elsewhere.
      node.ancestors.prefix(while: { $0.id != function.id }).allSatisfy({ ancestor in
        ancestor.as(ClosureExprSyntax.self).map { [.once, .many].contains($0.use) } ?? true
      }), let type = type(around: function), !type.isActor
    else { return false }
    let uses = type.blocks.flatMap { $0.descendants(DeclReferenceExprSyntax.self) }
      .filter { $0.baseName.text == function.name.text }
    // A function that is not called, but given to others, can run anywhere.
    return !uses.isEmpty
      && uses.allSatisfy { use in
        use.argumentNames == nil && use.namesFunction && isOnMainActor(use, depth: depth + 1)
      }
  }
}

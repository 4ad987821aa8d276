import SwiftSyntax

/// Code that blocks a thread which others need.
struct BlockingWaitRule: Rule {
  let kind = "blocking-wait"
  let consequence = "The screen freezes, or all tasks of the app stop."
  let why =
    "The main thread and the few threads of tasks may not wait: the work that would end the wait can need the same thread."
  let example = """
    func user() -> User? {
      let done = DispatchSemaphore(value: 0)
      Task { user = await load(); done.signal() }
      done.wait()
      return user
    }
    """
  let repair = "`await`, or `concurrentMap(limit:)` instead of a counting semaphore"
  let repaired = "func user() async -> User? { await load() }"
  let section = "Thread explosion"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    if file.imports("XCTest") { return [] }
    return file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard let what = blocking(call, project) else { return nil }
      if call.ancestors.prefix(while: { !$0.is(CodeBlockItemSyntax.self) }).contains(where: {
        $0.is(AwaitExprSyntax.self)
      }) {
        return nil
      }
      guard let reason = reason(call, project) else { return nil }
      return finding("`\(what)` blocks \(reason)", at: file.place(call, "waits here"))
    }
  }

  private func blocking(_ call: FunctionCallExprSyntax, _ project: Project) -> String? {
    if ["sleep", "usleep", "nanosleep"].contains(call.name) {
      let callee = call.callee
      if callee == "Thread.sleep" { return callee }
      if callee == call.name, project.functions(callee, of: project.type(around: call)).isEmpty {
        return callee
      }
    }
    if call.name == "wait" || call.name == "waitUntilAllOperationsAreFinished"
      || call.name == "waitUntilFinished"
    {
      if call.name != "wait" { return call.name }
      guard let receiver = call.receiver, let path = Path(receiver) else { return nil }
      if call.arguments.contains(where: {
        $0.expression.code == ".now()" || $0.expression.code == "DispatchTime.now()"
      }) {
        return nil
      }
      let name = path.last.lowercased()
      if path.isMember, path.names.count == 1,
        let property = project.property(path.first, of: project.type(around: call))
      {
        return property.isSemaphore || property.isGroup || property.plainType == "NSCondition"
          ? "\(path.text).wait" : nil
      }
      if !path.isMember,
        let local = localDeclaration(of: path.first, at: call)?.as(PatternBindingSyntax.self),
        let value = local.initializer?.value.code
      {
        return ["DispatchSemaphore", "DispatchGroup", "NSCondition"].contains { value.hasPrefix($0) }
          ? "\(path.text).wait" : nil
      }
      return name.contains("semaphore") || name == "group" || name == "dispatchgroup"
        ? "\(path.text).wait" : nil
    }
    return nil
  }

  private func reason(_ call: FunctionCallExprSyntax, _ project: Project) -> String? {
    for node in call.ancestors {
      if let closure = node.as(ClosureExprSyntax.self) {
        if isOnMain(closure) { return "the main thread" }
        switch closure.use {
        case .once:
          if closure.call?.call.name == "sync" { break }
          continue
        case .many: continue
        case .task: return "a thread of the tasks' pool"
        case .later:
          if ["addTask", "addTaskUnlessCancelled", "task", "refreshable"].contains(
            closure.call?.call.name ?? "")
          {
            return "a thread of the tasks' pool"
          }
          return nil
        }
      }
      if let function = node.as(FunctionDeclSyntax.self) {
        if function.signature.effectSpecifiers?.asyncSpecifier != nil { return "a thread of the tasks' pool" }
        break
      }
    }
    switch project.isolation(of: call) {
    case .mainActor, .mainQueue: return "the main thread"
    case .actor: return "the actor and a thread of the tasks' pool"
    case .concurrent, .queue: return nil
    case .unknown: break
    }
    // A synchronous function that waits for a task or for the main queue.
    guard let function = call.ancestor(FunctionDeclSyntax.self) ?? nil,
      let receiver = call.receiver.flatMap({ Path($0) })
    else { return nil }
    for closure in function.descendants(ClosureExprSyntax.self) {
      let signals = closure.descendants(FunctionCallExprSyntax.self).contains {
        ["signal", "leave"].contains($0.name) && $0.receiver.flatMap { Path($0)?.text } == receiver.text
      }
      guard signals else { continue }
      if case .task = closure.use { return "until a task runs, which can need this thread" }
      if isOnMain(closure) { return "until the main queue runs, which can be this thread" }
    }
    return nil
  }
}

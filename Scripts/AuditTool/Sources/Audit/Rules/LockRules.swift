import Foundation
import SwiftSyntax

/// What a call does to a lock, and which lock.
enum LockCall {
  case lock(String)
  case unlock(String)

  init?(_ call: FunctionCallExprSyntax) {
    let name = call.name
    if ["os_unfair_lock_lock", "pthread_mutex_lock", "OSSpinLockLock"].contains(name),
      let lock = call.arguments.first
    {
      self = .lock(Path(lock.expression)?.text ?? lock.expression.code)
    } else if ["os_unfair_lock_unlock", "pthread_mutex_unlock", "OSSpinLockUnlock"].contains(name),
      let lock = call.arguments.first
    {
      self = .unlock(Path(lock.expression)?.text ?? lock.expression.code)
    } else if ["lock", "unlock"].contains(name), call.arguments.isEmpty, call.closures.isEmpty,
      let receiver = call.receiver, receiver.code != "super",
      // `guard let lock = try files.lock()` is no mutex.
      call.parent?.is(CodeBlockItemSyntax.self) == true
        || call.parent?.is(OptionalChainingExprSyntax.self) == true
    {
      let text = Path(receiver)?.text ?? receiver.code
      self = name == "lock" ? .lock(text) : .unlock(text)
    } else if name == "objc_sync_enter" {
      self = .lock("objc_sync")
    } else if name == "objc_sync_exit" {
      self = .unlock("objc_sync")
    } else {
      return nil
    }
  }
}

/// The names of calls that lock, as `LockCall`, `scopedLock` and `sync` know them.
private let lockNames: Set = [
  "os_unfair_lock_lock", "pthread_mutex_lock", "OSSpinLockLock", "lock", "objc_sync_enter", "sync",
  "os_unfair_lock_unlock", "pthread_mutex_unlock", "OSSpinLockUnlock", "unlock", "objc_sync_exit",
  "withLock", "withLockUnchecked", "withLockIfAvailable", "whileLocked", "locked", "withLockVoid",
]

/// The lock that the closure of a call holds: `lock.withLock { … }`.
func scopedLock(_ call: FunctionCallExprSyntax) -> String? {
  guard
    ["withLock", "withLockUnchecked", "withLockIfAvailable", "whileLocked", "locked", "withLockVoid"]
      .contains(call.name)
  else {
    return nil
  }
  return call.receiver.map { Path($0)?.text ?? $0.code } ?? "self"
}

/// A lock that a path leaves locked.
struct HeldLockRule: Rule {
  let kind = "held-lock"
  let consequence = "The next caller waits forever, and the app freezes."
  let why =
    "A path that returns or throws between `lock` and `unlock` leaves the lock locked, and a lock that is locked twice never opens."
  let example = """
    lock.lock()
    guard let value = values[key] else { return nil }
    lock.unlock()
    return value
    """
  let repair = "`lock.withLock { … }`, or a `StateStore`"
  let repaired = "return lock.withLock { values[key] }"
  let section = "Deadlocks and priority inversion"

  private struct State: Hashable {
    var held: [String: Syntax] = [:]
    /// Locks of the caller, which the code has unlocked and has to lock again.
    var released: Set<String> = []
  }

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    guard file.text.contains("lock") || file.text.contains("DispatchSemaphore(value: 1)") else { return [] }
    /// A lock, or a semaphore that is used as one.
    func lockCall(_ call: FunctionCallExprSyntax) -> LockCall? {
      if let lock = LockCall(call) { return lock }
      guard ["wait", "signal"].contains(call.name), call.arguments.isEmpty,
        let path = call.receiver.flatMap({ Path($0) }), path.isMember,
        project.property(path.first, of: project.type(around: call))?.initialValue?.code
          == "DispatchSemaphore(value: 1)"
      else { return nil }
      return call.name == "wait" ? .lock(path.text) : .unlock(path.text)
    }
    var findings: [Finding] = []
    for body in file.bodies
    where body.closure == nil || body.closure!.use == .later
      || { if case .task = body.closure!.use { true } else { false } }()
    {
      let own = body.statements.descendants(FunctionCallExprSyntax.self) { !$0.is(ClosureExprSyntax.self) }
      let locked = own.compactMap { if case .lock(let name) = lockCall($0) { name } else { nil } }
      let unlocked = Set(
        body.statements.descendants(FunctionCallExprSyntax.self).compactMap {
          if case .unlock(let name) = lockCall($0) { name } else { nil }
        })
      let scoped = own.compactMap(scopedLock)
      guard !locked.isEmpty || !scoped.isEmpty else { continue }
      let type = project.type(around: body.node)
      func isRecursive(_ name: String) -> Bool {
        let first = name.split(separator: ".").first.map(String.init) ?? name
        return name == "objc_sync" || (project.property(first, of: type)?.type.contains("Recursive") ?? true)
      }
      var twice: [Syntax: Syntax] = [:], waits: [Syntax: Syntax] = [:]
      let flow = Flow<State>(project) { event, state in
        var state = state
        switch event {
        case .call(let call):
          switch lockCall(call) {
          case .lock(let name):
            if state.released.remove(name) != nil { break }
            if let first = state.held[name], !isRecursive(name) { twice[Syntax(call)] = first }
            state.held[name] = Syntax(call)
          case .unlock(let name):
            if state.held.removeValue(forKey: name) == nil { state.released.insert(name) }
          case nil: break
          }
        case .begin(let call):
          if let name = scopedLock(call) {
            if let first = state.held[name], !isRecursive(name) { twice[Syntax(call)] = first }
            state.held[name] = Syntax(call)
          }
        case .end(let call):
          if let name = scopedLock(call) { state.held[name] = nil }
        case .await(let node):
          if let first = state.held.values.min(by: { $0.position < $1.position }) { waits[node] = first }
        default: break
        }
        return state
      }
      let exits = flow.run(body.statements, from: State())
      if exits.isIncomplete { continue }
      for (second, first) in twice.sorted(by: { $0.key.position < $1.key.position }) {
        findings.append(
          finding(
            "the lock is locked again while this code holds it, which blocks forever",
            at: file.place(second, "locked again"),
            [file.place(first, "locked first")]))
      }
      for (wait, lock) in waits.sorted(by: { $0.key.position < $1.key.position }) {
        findings.append(
          finding(
            "the lock is held during the await", at: file.place(wait, "waits"),
            [file.place(lock, "locked here")]))
      }
      var reported: Set<Syntax> = []
      let ends =
        exits.normal.map { ($0, nil as Syntax?) }
        + (exits.returns + exits.throwing).map { ($0.state, $0.node as Syntax?) }
      let held = ends.flatMap { state, node in
        state.held.filter { locked.contains($0.key) }.map { (name: $0.key, lock: $0.value, node: node) }
      }.sorted {
        ($0.lock.position, $0.name, $0.node?.position ?? $0.lock.position)
          < ($1.lock.position, $1.name, $1.node?.position ?? $1.lock.position)
      }
      for (name, lock, node) in held
      where unlocked.contains(name) && reported.insert(node ?? lock).inserted {
        findings.append(
          finding(
            "`\(name)` stays locked on a path that ends here",
            at: file.place(node ?? lock, node == nil ? "locked here" : "ends locked"),
            [file.place(lock, "locked here")]))
      }
      // A function that locks, does more, and has no unlock at all.
      if let function = body.function, unlocked.isEmpty, !words(of: function.name.text).contains("lock"),
        body.statements.count > 1
      {
        for (name, lock, _) in held where reported.insert(lock).inserted {
          findings.append(
            finding("`\(name)` is locked and never unlocked", at: file.place(lock, "locked here")))
        }
      }
    }
    return findings
  }
}

/// Code of others that runs while a lock is held.
struct ForeignCodeRule: Rule {
  let kind = "foreign-code-under-lock"
  let consequence = "The app freezes as soon as an observer calls back into the object that notifies it."
  let why = "A closure, a delegate or a notification can call any code, also code that needs the same lock."
  let example = """
    lock.withLock {
      value = new
      for observer in observers { observer(new) }
    }
    """
  let repair = "lock, change, unlock, and then call; or a `StateStore`, which does so"
  let repaired = """
    let current = lock.withLock { value = new; return observers }
    for observer in current { observer(new) }
    """
  let section = "Deadlocks and priority inversion"

  private struct State: Hashable {
    var held: [String: Syntax] = [:]
  }

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    guard !file.names.isDisjoint(with: lockNames) else { return [] }
    var findings: [Finding] = []
    var reported: Set<SyntaxIdentifier> = []
    for body in file.bodies {
      if let closure = body.closure, closure.use == .once || closure.use == .many { continue }
      let calls = body.statements.descendants(FunctionCallExprSyntax.self) { !$0.is(FunctionDeclSyntax.self) }
      guard calls.contains(where: { LockCall($0) != nil || scopedLock($0) != nil || isSync($0, project) })
      else { continue }
      let flow = Flow<State>(project) { event, state in
        var state = state
        switch event {
        case .begin(let call):
          if let name = scopedLock(call) { state.held[name] = Syntax(call) }
          if isSync(call, project) { state.held[call.receiver?.code ?? ""] = Syntax(call) }
        case .end(let call):
          if let name = scopedLock(call) { state.held[name] = nil }
          if isSync(call, project) { state.held[call.receiver?.code ?? ""] = nil }
        case .call(let call):
          switch LockCall(call) {
          case .lock(let name): state.held[name] = Syntax(call)
          case .unlock(let name): state.held[name] = nil
          case nil:
            guard let (name, lock) = state.held.min(by: { $0.value.position < $1.value.position }),
              let what = foreign(call, project)
            else { break }
            // A recursive lock lets the same thread in again.
            let isRecursive =
              name == "objc_sync"
              || project.property(name, of: project.type(around: lock))?.type.contains("Recursive") == true
            if reported.insert(call.id).inserted {
              findings.append(
                finding(
                  "\(what) is called while the lock is held", at: file.place(call, "called here"),
                  [file.place(lock, "locked here")],
                  severity: call.name == "resume" || isRecursive || isNoObserver(call, project)
                    ? .note : .hazard))
            }
          }
        default: break
        }
        return state
      }
      _ = flow.run(body.statements, from: State())
    }
    return findings
  }

  private func isSync(_ call: FunctionCallExprSyntax, _ project: Project) -> Bool {
    guard call.name == "sync", let receiver = call.receiver, let path = Path(receiver), path.isMember else {
      return false
    }
    return project.property(path.first, of: project.type(around: call))?.isQueue == true
  }

  /// What a call calls, if it is code that the type does not know.
  private func foreign(_ call: FunctionCallExprSyntax, _ project: Project) -> String? {
    var callee = call.calledExpression
    while true {
      if let chained = callee.as(OptionalChainingExprSyntax.self) {
        callee = chained.expression
      } else if let forced = callee.as(ForceUnwrapExprSyntax.self) {
        callee = forced.expression
      } else {
        break
      }
    }
    if call.name == "post",
      call.callee.contains("NotificationCenter")
        || call.receiver.map({ $0.code.lowercased().hasSuffix("center") }) == true
    {
      return "the notification `\(call.argument("name")?.code ?? "")`"
    }
    guard let path = Path(callee) else {
      // `handlers[key]?(value)` has a path; `makeHandler()(value)` has none.
      return nil
    }
    let type = project.type(around: call)
    if path.names.count == 1, !path.isMember {
      guard path.first != "self", let local = localDeclaration(of: path.first, at: call) else { return nil }
      if local.is(FunctionDeclSyntax.self) { return nil }
      if let binding = local.as(PatternBindingSyntax.self),
        binding.initializer?.value.is(ClosureExprSyntax.self) == true
      {
        return nil
      }
      if let parameter = local.as(FunctionParameterSyntax.self) {
        // The caller gives a closure that runs in place, and so knows about the lock.
        let isBody = NameTable.body.isIn(path.first)
        guard
          isEscaping(parameter, in: type, project)
            || (!isBody && !call.arguments.isEmpty
              && !call.arguments.contains { $0.expression.is(InOutExprSyntax.self) })
        else { return nil }
      }
      if local.is(ClosureExprSyntax.self) || isParameter(local) {
        // `$0(value)` in the closure of `forEach`, but not the argument of the lock's own closure.
        guard let closure = local.as(ClosureExprSyntax.self) ?? local.ancestor(ClosureExprSyntax.self),
          closure.use == .many
        else { return nil }
      }
      return "the closure `\(path.first)`"
    }
    if path.isMember, path.names.count == 1 {
      guard let property = project.property(path.first, of: type),
        property.isClosure || call.calledExpression.code.contains("]")
      else { return nil }
      return "the closure `\(path.first)`"
    }
    if call.name == "resume", let last = path.names.dropLast().last,
      last.lowercased().contains("continuation")
    {
      return "`\(last).resume`"
    }
    if let last = path.names.dropLast().last {
      // `subscriber.take()` is a method of the optional, and `peek` tells a value.
      if NameTable.delegate.ends(last), !["take", "peek"].contains(call.name) { return "`\(last)`" }
      if call.name == "send",
        ["subject", "publisher"].contains(words(of: last).last) || last == "objectWillChange"
      {
        return "`\(last)`"
      }
    }
    // `delegate.value?.didChange()` and `box.handler(value)`.
    if NameTable.storedClosure.ends(path.last), path.names.count > 1 {
      return "the closure `\(path.text)`"
    }
    return nil
  }

  /// Whether a closure is no observer, which others register: the caller gives it for one call, it
  /// answers a question about its argument, or the object is made with it to get a value.
  private func isNoObserver(_ call: FunctionCallExprSyntax, _ project: Project) -> Bool {
    guard let path = Path(call.calledExpression), path.names.count == 1 else { return false }
    let type = project.type(around: call)
    if path.isMember {
      guard let property = project.property(path.first, of: type) else { return false }
      let result = property.type.components(separatedBy: "->").last?.trimmed("?!)]")
      return property.isLet && property.type.contains("->") && result != "Void" && result != "("
    }
    guard let local = localDeclaration(of: path.first, at: call),
      let parameter = local.as(FunctionParameterSyntax.self)
    else { return false }
    return !isEscaping(parameter, in: type, project)
      || parameter.type.code.trimmed("?)").hasSuffix("-> Bool") && !call.arguments.isEmpty
  }

  private func isEscaping(
    _ parameter: FunctionParameterSyntax, in type: TypeInfo?, _ project: Project
  ) -> Bool {
    let code = parameter.type.code
    return code.contains("escaping") || code.filter({ !$0.isWhitespace }).hasSuffix(")?")
      || isAliasOfClosure(code, in: type, project)
  }

  private func isParameter(_ node: Syntax) -> Bool {
    node.is(ClosureShorthandParameterSyntax.self) || node.is(ClosureParameterSyntax.self)
  }

  private func isAliasOfClosure(_ code: String, in scope: TypeInfo?, _ project: Project) -> Bool {
    project.alias(code, in: scope)?.contains("->") == true
  }
}

/// `sync` onto the main queue, or onto the queue on which the code runs.
struct QueueSyncRule: Rule {
  let kind = "queue-sync"
  let consequence = "The app freezes: the caller waits for a queue that waits for the caller."
  let why = "`sync` waits until the queue is free. If the caller is on that queue, it never is."
  let example = """
    func add(_ item: Item) {
      queue.async { self.items.append(item); print(self.count) }
    }
    var count: Int { queue.sync { items.count } }
    """
  let repair = "a `StateStore`, or `await` on the main actor"
  let repaired = "var count: Int { store.value.items.count }"
  let section = "Deadlocks and priority inversion"

  private struct State: Hashable {
    var on: [String: Syntax] = [:]
    var isOffMain = false
  }

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    guard file.names.contains("sync") else { return [] }
    var findings: [Finding] = []
    var reported: Set<SyntaxIdentifier> = []
    for body in file.bodies {
      var start = State()
      if let closure = body.closure {
        guard closure.use == .later, let call = closure.call?.call,
          let queue = serialQueue(call, project, ["async", "asyncAfter"])
        else {
          continue
        }
        start.on[queue] = Syntax(call)
      }
      guard hasQueue(project.type(around: body.node)) else { continue }
      let flow = Flow<State>(project, options: .init(followsCalls: true)) { event, state in
        var state = state
        switch event {
        case .begin(let call):
          guard let queue = serialQueue(call, project, ["sync"], isAnyKind: true) else { break }
          // A concurrent queue only waits for itself if one of the two is a barrier.
          let isSerial = serialQueue(call, project, ["sync"]) != nil
          func isBarrier(_ node: Syntax) -> Bool {
            node.as(FunctionCallExprSyntax.self)?.argument("flags")?.code.contains("barrier") == true
          }
          if let outer = state.on[queue], isSerial || isBarrier(Syntax(call)) || isBarrier(outer),
            reported.insert(call.id).inserted
          {
            findings.append(
              finding(
                "`\(queue).sync` is called on `\(queue)` itself, which blocks forever",
                at: file.place(call, "waits for the queue"),
                [file.place(outer, "runs on the queue")]))
          }
          state.on[queue] = Syntax(call)
        case .end(let call):
          if let queue = serialQueue(call, project, ["sync"], isAnyKind: true) { state.on[queue] = nil }
        default: break
        }
        return state
      }
      _ = flow.run(body.statements, from: start)
    }
    for call in file.all(FunctionCallExprSyntax.self)
    where call.name == "sync" && call.callee.hasSuffix("DispatchQueue.main.sync") {
      switch project.isolation(of: call) {
      case .mainActor where asksForMainThread(Syntax(call), project) && !isInMainBranch(call): break
      case .mainActor, .mainQueue:
        findings.append(
          finding(
            "`DispatchQueue.main.sync` is called on the main thread, which blocks forever",
            at: file.place(call, "waits for the main queue")))
      case .unknown, .actor:
        if !asksForMainThread(Syntax(call), project) && !isOffMain(call) && reported.insert(call.id).inserted
        {
          findings.append(
            finding(
              "`DispatchQueue.main.sync` blocks forever if the caller is on the main thread",
              at: file.place(call, "waits for the main queue")))
        }
      case .queue, .concurrent: break
      }
    }
    return findings
  }

  /// Whether a type or one of its superclasses has a queue.
  private func hasQueue(_ type: TypeInfo?) -> Bool {
    var type = type, depth = 0
    while let current = type, depth < 5 {
      if current.properties.values.contains(where: { $0.plainType == "DispatchQueue" }) { return true }
      type = current.superclass
      depth += 1
    }
    return false
  }

  /// The serial queue of the type on which a call runs its closure.
  private func serialQueue(
    _ call: FunctionCallExprSyntax, _ project: Project, _ names: Set<String>, isAnyKind: Bool = false
  ) -> String? {
    guard names.contains(call.name), let receiver = call.receiver, let path = Path(receiver),
      path.names.count == 1, path.first != "self"
    else { return nil }
    if path.isMember {
      guard let property = project.property(path.first, of: project.type(around: call)),
        property.plainType == "DispatchQueue",
        isAnyKind || property.initialValue?.code.contains("concurrent") != true,
        property.initialValue?.code.contains(".global") != true
      else { return nil }
      return path.first
    }
    return nil
  }

  /// Whether a call stands where `if Thread.isMainThread` holds.
  private func isInMainBranch(_ call: FunctionCallExprSyntax) -> Bool {
    call.ancestors.contains { node in
      guard let branch = node.as(IfExprSyntax.self) else { return false }
      return branch.conditions.first?.code == "Thread.isMainThread"
        && branch.body.position <= call.position && call.position < branch.body.endPosition
    }
  }

  private func isOffMain(_ call: FunctionCallExprSyntax) -> Bool {
    guard let function = call.ancestor(FunctionDeclSyntax.self) else { return false }
    return function.code.contains("notOnQueue(.main)")
      || words(of: function.name.text).contains("background")
  }
}

/// Whether the code around a node asks `Thread.isMainThread`, or asserts the main queue.
func asksForMainThread(_ node: Syntax, _ project: Project) -> Bool {
  func asks(_ place: Syntax) -> Bool {
    place.descendants(DeclReferenceExprSyntax.self).contains {
      $0.position < node.position && saysMainThread($0, project)
    }
  }
  for ancestor in node.ancestors {
    let body =
      ancestor.as(FunctionDeclSyntax.self)?.body ?? ancestor.as(AccessorDeclSyntax.self)?.body
      ?? ancestor.as(InitializerDeclSyntax.self)?.body
    // A getter without the word `get` has no body of its own.
    if let place = body.map({ Syntax($0) }) ?? (ancestor.is(AccessorBlockSyntax.self) ? ancestor : nil) {
      let asserts = place.descendants(FunctionCallExprSyntax.self).contains {
        ["dispatchPrecondition", "preconditionIsolated", "assertIsolated"].contains($0.name)
          && $0.position < node.position
          && ($0.code.contains("main") || $0.code.contains("Main"))
      }
      return asks(place) || asserts
    }
    if ancestor.is(ClosureExprSyntax.self) || ancestor.is(IfExprSyntax.self), asks(ancestor) { return true }
    if declGroup(ancestor) != nil { return false }
  }
  return false
}

/// Whether a name is `isMainThread`, or a property of the project that asks for it.
private func saysMainThread(_ reference: DeclReferenceExprSyntax, _ project: Project) -> Bool {
  let name = reference.baseName.text
  if name == "isMainThread" { return true }
  var owner = project.type(around: reference)
  if let member = reference.parent?.as(MemberAccessExprSyntax.self), member.declName.id == reference.id {
    guard let base = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
    if base != "self" { owner = project.type(named: base, in: owner) }
  }
  return project.property(name, of: owner)?.accessors?.descendants(DeclReferenceExprSyntax.self).contains {
    $0.baseName.text == "isMainThread"
  } == true
}

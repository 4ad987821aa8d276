import SwiftSyntax

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

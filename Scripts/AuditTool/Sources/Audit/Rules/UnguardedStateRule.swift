import SwiftSyntax

/// A property that a lock or a queue guards in one place, and that other code changes without it.
struct UnguardedStateRule: Rule {
  let kind = "unguarded-state"
  let consequence = "Now and then a value is lost, or the app crashes in code that is right."
  let why =
    "Two threads may change the property at the same time: one of them holds the lock, the other does not ask for it."
  let example = """
    func add(_ item: Item) { lock.withLock { items.append(item) } }
    func first() -> Item? { lock.withLock { items.first } }
    func reset() { items = [] }
    """
  let repair = "a `StateStore`, or an actor"
  let repaired = "func reset() { lock.withLock { items = [] } }"
  let section = "Data races that the compiler does not see"

  private static let main = "DispatchQueue.main", background = "another queue"

  private struct State: Hashable { var held: Set<String> = [] }
  private struct Access: Hashable {
    let node: Syntax
    let isWrite: Bool
    let held: Set<String>
  }

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings = concurrentWrites(file)
    for group in file.all(ClassDeclSyntax.self) {
      guard let type = project.info(of: group), !project.isMainActor(type) else { continue }
      let guards = type.properties.values.filter {
        ($0.isLock || $0.plainType == "DispatchQueue" || isMutex($0)) && !$0.isStatic
      }
      let hasMain = guards.isEmpty
      // Without a guard only the main queue can be one, and a change on it has to be shown.
      if hasMain, !usesMain(type) { continue }
      let accesses = self.accesses(type, Set(guards.map(\.name)), project)
      for (name, list) in accesses.sorted(by: { $0.key < $1.key }) {
        guard let property = type.properties[name], !property.isWeak, !property.modifiers.contains("lazy")
        else { continue }
        // The lock or queue under which most accesses happen.
        let guardNames = guards.map(\.name) + [Self.main]
        let counts = guardNames.map { name in (name, statements(list.filter { $0.held.contains(name) })) }
        guard let (lock, count) = counts.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }),
          list.contains(where: { $0.isWrite && $0.held.contains(lock) })
        else { continue }
        // The main queue guards only by convention, so only code that is surely elsewhere breaks
        // it.
        if hasMain, lock != Self.main { continue }
        // A function that is called with and without the lock cannot be judged here.
        let closed = Set(list.filter { $0.held.contains(lock) }.map(\.node))
        let open = list.filter {
          !$0.held.contains(lock) && !closed.contains($0.node)
            && (lock != Self.main || $0.held.contains(Self.background))
        }
        // A lock that most accesses ignore guards something else.
        let isGuard =
          count > statements(open) || members(list.filter { $0.held.contains(lock) }) > members(open)
        guard !open.isEmpty, lock == Self.main || isGuard else { continue }
        let guarded = list.first { $0.held.contains(lock) && $0.isWrite } ?? list[0]
        let shown = open.filter(\.isWrite).isEmpty ? open : open.filter(\.isWrite)
        for access in Set(shown.map { Access(node: $0.node, isWrite: $0.isWrite, held: []) }).sorted(by: {
          $0.node.position < $1.node.position
        }).prefix(3) {
          guard access.node.root.id == Syntax(file.tree).id else { continue }
          findings.append(
            finding(
              "`\(name)` is \(access.isWrite ? "changed" : "read") here without `\(lock)`, which guards it elsewhere",
              at: file.place(access.node, access.isWrite ? "changed without it" : "read without it"),
              [place(guarded.node, "changed with `\(lock)`", file, project)]))
        }
      }
    }
    return findings
  }

  /// Whether the comment of a function, the mark above it, or the comment of its type says that its
  /// callers hold the guard.
  private func saysGuarded(_ function: FunctionDeclSyntax, _ type: TypeInfo) -> Bool {
    func says(_ comment: String, _ phrases: [String]) -> Bool {
      let text = comment.lowercased()
      return phrases.contains { text.contains($0) }
    }
    let contract = [
      "called on the queue", "call it on the queue", "on this queue", "under the lock", "with the lock held",
      "hold the lock", "holds the lock",
    ]
    let members = function.parent?.parent?.as(MemberBlockItemListSyntax.self).map(Array.init) ?? []
    let marks = members.prefix { $0.position <= function.position }.flatMap { item in
      item.leadingTrivia.compactMap { piece -> String? in
        guard case .lineComment(let text) = piece, text.contains("MARK:") else { return nil }
        return text
      }
    }
    let group = function.ancestors.first { declGroup($0) != nil }
    return says(function.leadingTrivia.description, contract)
      || marks.last.map { says($0, contract + ["on the queue"]) } == true
      || group.map { says($0.leadingTrivia.description, ["on this queue"]) } == true
  }

  /// Whether code of the type uses both the main queue and another one.
  private func usesMain(_ type: TypeInfo) -> Bool {
    let calls = type.calls
    return calls.contains { ["detached", "global", "OperationQueue"].contains($0.name) }
      && calls.contains { call in call.closures.contains { isOnMain($0.closure) } }
  }

  /// In how many statements accesses stand.
  private func statements(_ accesses: [Access]) -> Int {
    Set(accesses.map { $0.node.ancestor(CodeBlockItemSyntax.self)?.id ?? $0.node.id }).count
  }

  /// In how many members of the type accesses stand.
  private func members(_ accesses: [Access]) -> Int {
    Set(accesses.compactMap { member(around: $0.node)?.id }).count
  }

  /// The queue under the operation queue on which a session calls its delegate.
  private func sessionQueue(_ type: TypeInfo, _ guards: Set<String>) -> Set<String> {
    let assignments = type.blocks.flatMap { $0.descendants(SequenceExprSyntax.self) }
      .map { Array($0.elements) }.filter { $0.count == 3 && $0[1].is(AssignmentExprSyntax.self) }
    let values = assignments.filter {
      $0[0].as(MemberAccessExprSyntax.self)?.declName.baseName.text == "underlyingQueue"
    }.map { $0[2].code }
    // `self.queue = queue` beside it says that a local name means the guard.
    let names = values + assignments.filter { values.contains($0[2].code) }.compactMap { Path($0[0])?.text }
    return guards.intersection(names)
  }

  /// Whether a property is a semaphore that lets one thread in: `DispatchSemaphore(value: 1)`.
  private func isMutex(_ property: Property) -> Bool {
    property.plainType == "DispatchSemaphore" && property.initialValue?.code.contains("value: 1)") == true
  }

  /// Writes in the iterations of `concurrentPerform`, which run at the same time.
  private func concurrentWrites(_ file: SourceFile) -> [Finding] {
    var findings: [Finding] = []
    for call in file.all(FunctionCallExprSyntax.self) where call.name == "concurrentPerform" {
      guard let closure = call.closures.first?.closure else { continue }
      func isGuarded(_ node: some SyntaxProtocol) -> Bool {
        for ancestor in node.ancestors {
          if ancestor.id == Syntax(closure).id { break }
          if let inner = ancestor.as(ClosureExprSyntax.self)?.call?.call,
            scopedLock(inner) != nil || inner.name == "sync" || inner.name == "async"
          {
            return true
          }
        }
        return closure.descendants(FunctionCallExprSyntax.self).contains { LockCall($0) != nil }
      }
      func isShared(_ path: Path, _ node: some SyntaxProtocol) -> Bool {
        path.isMember
          || localDeclaration(of: path.first, at: node).map { $0.position < closure.position } == true
      }
      for sequence in closure.descendants(SequenceExprSyntax.self) {
        let elements = Array(sequence.elements)
        guard elements.count >= 3,
          elements[1].is(AssignmentExprSyntax.self)
            || elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=") == true
              && !["==", "!=", "<=", ">="].contains(elements[1].code),
          let path = Path(elements[0]), isShared(path, sequence), !isGuarded(sequence),
          !path.text.contains("uffer"), !path.text.contains("pointer")
        else { continue }
        findings.append(
          finding(
            "`\(path.text)` is changed by iterations that run at the same time",
            at: file.place(sequence, "changed without a lock")))
      }
      for inner in closure.descendants(FunctionCallExprSyntax.self)
      where ["append", "insert", "updateValue", "formUnion", "removeValue"].contains(inner.name) {
        guard let path = inner.receiver.flatMap({ Path($0) }), isShared(path, inner), !isGuarded(inner) else {
          continue
        }
        findings.append(
          finding(
            "`\(path.text)` is changed by iterations that run at the same time",
            at: file.place(inner, "changed without a lock")))
      }
    }
    return findings
  }

  private func place(_ node: Syntax, _ label: String, _ file: SourceFile, _ project: Project) -> Place {
    let owner = project.files.first { Syntax($0.tree).id == node.root.id } ?? file
    return owner.place(node, label)
  }

  /// All accesses of the stored properties, with the guards that are held, apart from those in
  /// initializers and `deinit`.
  private func accesses(_ type: TypeInfo, _ guards: Set<String>, _ project: Project) -> [String: [Access]] {
    var found: [String: [Access]] = [:]
    var entered: Set<SyntaxIdentifier> = []
    func run(_ statements: CodeBlockItemListSyntax, _ held: Set<String>) {
      var closures: [ClosureExprSyntax: Set<String>] = [:]
      let flow = Flow<State>(project) { event, state in
        var state = state
        switch event {
        case .read(let path, let node, _): record(path, node, isWrite: false, state.held)
        case .write(let path, let node, _, _): record(path, node, isWrite: true, state.held)
        case .begin(let call):
          if let name = guardName(call) { state.held.insert(name) }
        case .end(let call):
          if let name = guardName(call) { state.held.remove(name) }
        case .call(let call):
          switch LockCall(call) {
          case .lock(let name): state.held.insert(name)
          case .unlock(let name): state.held.remove(name)
          case nil:
            if ["wait", "signal"].contains(call.name), call.arguments.isEmpty,
              let name = call.receiver.flatMap({ Path($0) })?.first, guards.contains(name)
            {
              if call.name == "wait" { state.held.insert(name) } else { state.held.remove(name) }
            }
            if call.name == "dispatchPrecondition",
              let name = guards.sorted().first(where: {
                call.code.contains("onQueue(\($0))") || call.code.contains("onQueue(self.\($0))")
              })
            {
              state.held.insert(name)
            }
          }
        case .closure(let closure): closures[closure] = []
        default: break
        }
        return state
      }
      _ = flow.run(statements, from: State(held: held))
      for closure in closures.keys.sorted(by: { $0.position < $1.position })
      where entered.insert(closure.id).inserted {
        var held: Set<String> = []
        if let call = closure.call?.call,
          ["async", "asyncAfter", "notify", "DispatchWorkItem", "addOperation"].contains(call.name)
        {
          if let receiver = call.receiver.flatMap({ Path($0) }), receiver.isMember,
            guards.contains(receiver.first)
          {
            held = [receiver.first]
          }
          if let queue = (call.argument("queue") ?? call.argument("on")).flatMap({ Path($0) }),
            guards.contains(queue.first)
          {
            held = [queue.first]
          }
          if isOnMain(closure) { held = [Self.main] }
          if call.receiver?.code.contains(".global(") == true || call.receiver?.code == "OperationQueue()" {
            held = [Self.background]
          }
          // Where a work item runs is not known.
          if call.name == "DispatchWorkItem" { continue }
        } else if let call = closure.call?.call {
          // A closure for an API that is told the queue.
          let names = call.arguments.compactMap { Path($0.expression) }.filter { guards.contains($0.first) }
          if let name = names.first {
            held = [name.first]
          } else if isOnMain(closure) {
            held = [Self.main]
          } else if case .task(true) = closure.use {
            held = [Self.background]
          }
        } else {
          continue
        }
        run(closure.statements, held)
      }
    }
    func guardName(_ call: FunctionCallExprSyntax) -> String? {
      if let lock = scopedLock(call) { return lock }
      if call.name == "sync" || call.name == "asyncAndWait", let path = call.receiver.flatMap({ Path($0) }),
        path.isMember, guards.contains(path.first)
      {
        return path.first
      }
      return nil
    }
    func record(_ path: Path, _ node: Syntax, isWrite: Bool, _ held: Set<String>) {
      guard path.isMember, let property = type.properties[path.first], property.isStored, !property.isLet,
        !property.isStatic, !guards.contains(path.first)
      else { return }
      if node.ancestor(InitializerDeclSyntax.self) != nil
        || node.ancestor(DeinitializerDeclSyntax.self) != nil
      {
        return
      }
      // The compiler takes code of the main actor to the main queue.
      let isOnMain =
        project.isolation(of: node) == .mainActor
        || held.contains(Self.background) && project.isOnMainActor(node)
      let held = isOnMain ? held.subtracting([Self.background]).union([Self.main]) : held
      found[path.first, default: []].append(Access(node: node, isWrite: isWrite, held: held))
    }
    let called = Set(type.calls.map(\.name))
    for (_, functions) in type.functions.sorted(by: { $0.key < $1.key }) {
      for function in functions {
        guard let body = function.body else { continue }
        let isPrivate = function.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
        let isCalled = called.contains(function.name.text)
        // A private function runs with what its callers hold.
        if isPrivate, isCalled { continue }
        if NameTable.guarded.isIn(function.name.text) || saysGuarded(function, type) { continue }
        run(body.statements, function.name.text == "urlSession" ? sessionQueue(type, guards) : [])
      }
    }
    let computed = type.properties.values.sorted { $0.name < $1.name }
      .filter { !$0.isStored && !$0.modifiers.contains("private") }.map(\.accessors)
    let subscripts = type.blocks.flatMap(\.members).compactMap { $0.decl.as(SubscriptDeclSyntax.self) }
      .filter { !$0.modifiers.contains { $0.name.text == "private" } }.map(\.accessorBlock)
    for block in (computed + subscripts).compactMap({ $0 }) {
      switch block.accessors {
      case .getter(let statements): run(statements, [])
      case .accessors(let list):
        for accessor in list { if let body = accessor.body { run(body.statements, []) } }
      }
    }
    return found
  }
}

import SwiftSyntax

/// Legacy code that works and is worth a migration some time: a call, an attribute or a type.
struct LegacyRule: Rule {
  let kind: String
  let severity = Severity.note
  let consequence: String
  let why: String
  let example: String
  let repair: String
  let repaired: String
  let section: String
  let find: @Sendable (SourceFile, Project) -> [Syntax]

  init(
    _ kind: String, _ consequence: String, instead repair: String, section: String, example: String,
    repaired: String,
    find: @escaping @Sendable (SourceFile, Project) -> [Syntax]
  ) {
    self.kind = kind
    self.consequence = consequence
    why = consequence
    self.example = example
    self.repair = repair
    self.repaired = repaired
    self.section = section
    self.find = find
  }

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    find(file, project).map { finding(consequence, at: file.place($0)) }
  }
}

private func calls(
  _ isMatch: @escaping @Sendable (FunctionCallExprSyntax) -> Bool
) -> @Sendable (SourceFile, Project) -> [Syntax] {
  { file, _ in file.all(FunctionCallExprSyntax.self).filter(isMatch).map { Syntax($0) } }
}

private func properties(
  _ isMatch: @escaping @Sendable (Property, TypeInfo) -> Bool
) -> @Sendable (SourceFile, Project) -> [Syntax] {
  { file, project in
    file.all(VariableDeclSyntax.self).filter { variable in
      guard variable.parent?.is(MemberBlockItemSyntax.self) == true, let type = project.type(around: variable)
      else { return false }
      return variable.bindings.contains { binding in
        binding.pattern.as(IdentifierPatternSyntax.self).flatMap { type.properties[$0.identifier.text] }.map {
          isMatch($0, type)
        } == true
      }
    }.map { Syntax($0) }
  }
}

/// What the closures, queues and publishers of an app are, apart from what goes wrong with them.
let legacyRules: [any Rule] = [
  LegacyRule(
    "dispatch-group", "The caller has to balance enter and leave on every path.",
    instead: "`runConcurrently` or `CompletionGroup`",
    section: "Unbalanced enter and leave", example: "let group = DispatchGroup()",
    repaired: "await parts.runConcurrently { await $0.load() }",
    find: calls { $0.name == "DispatchGroup" && $0.callee == "DispatchGroup" }),
  LegacyRule(
    "dispatch-work-item", "`cancel()` has no effect on an item that has begun.",
    instead: "`debounced(for:)` or `WorkItemDebouncer`",
    section: "A cancel that does not cancel", example: "let item = DispatchWorkItem { search() }",
    repaired: "let texts = typedText.debounced(for: .milliseconds(300))",
    find: calls { $0.name == "DispatchWorkItem" && $0.callee == "DispatchWorkItem" }),
  LegacyRule(
    "delayed-block", "The block runs even if its reason is gone.",
    instead: "`debounced(for:)` or `WorkItemDebouncer`",
    section: "A cancel that does not cancel",
    example: "DispatchQueue.main.asyncAfter(deadline: .now() + 3) { hide() }",
    repaired: "try await clock.sleep(for: .seconds(3))", find: calls { $0.name == "asyncAfter" }),
  LegacyRule(
    "main-async", "The compiler cannot check which code is on the main queue.",
    instead: "`observe(on:_:)` or `StateMirror`",
    section: "Main-queue assumptions", example: "DispatchQueue.main.async { render() }",
    repaired: "@MainActor func render() {}",
    find: calls { $0.name == "async" && $0.callee == "DispatchQueue.main.async" }),
  LegacyRule(
    "global-queue", "Each block that waits occupies a thread.",
    instead: "`concurrentMap` or `runConcurrently`", section: "Thread explosion",
    example: "DispatchQueue.global().async { load() }",
    repaired: "try await urls.concurrentMap(limit: 8) { try await load($0) }",
    find: calls { $0.name == "global" && $0.callee == "DispatchQueue.global" }),
  LegacyRule(
    "sync-call", "The caller waits for the work that is ahead in the queue.",
    instead: "`StateStore` or `QueueIsolation`",
    section: "Deadlocks and priority inversion", example: "queue.sync { items.count }",
    repaired: "store.value.items.count",
    find: calls { $0.name == "sync" && $0.trailingClosure != nil }),
  LegacyRule(
    "detached-task", "The task inherits no cancellation, priority or task-local values.",
    instead: "`TaskSlot` or `concurrentMap`",
    section: "Stale results", example: "Task.detached { await index.add(query) }",
    repaired: "await index.add(query)",
    find: calls { $0.name == "detached" && $0.callee == "Task.detached" }),
  LegacyRule(
    "event-subject", "An event that is sent before the screen binds is lost.", instead: "`EventChannel`",
    section: "Lost or doubled events",
    example: "let routes = PassthroughSubject<Route, Never>()",
    repaired: "let routes = EventChannel<Route>()",
    find: calls { $0.name == "PassthroughSubject" }),
  LegacyRule(
    "private-queue", "The compiler cannot check which code runs on the queue.",
    instead: "`ViewModelActor` or `QueueIsolation`",
    section: "Data races that the compiler does not see",
    example: #"let queue = DispatchQueue(label: "cart")"#,
    repaired: "actor CartViewModel {}",
    find: calls {
      $0.name == "DispatchQueue" && $0.callee == "DispatchQueue" && $0.argument("label") != nil
    }),
  LegacyRule(
    "stored-closure", "The last binding replaces the others.", instead: "`StateStore` or `EventChannel`",
    section: "The last binding wins",
    example: "var onChange: ((State) -> Void)?", repaired: "let store = StateStore(State())",
    find: properties { property, type in
      type.isReference && property.isStored && !property.isLet && property.type.contains("->Void")
    }),
  LegacyRule(
    "published", "Subscribers receive the value before the property has it.",
    instead: "`StateStore` or `StateMirror`",
    section: "Values before they are set", example: "@Published var items: [Item] = []",
    repaired: "let store = StateStore(State())",
    find: properties { property, _ in property.attributes.contains("Published") }),
  LegacyRule(
    "completion-handler", "The handler can be called twice or never, on any thread.",
    instead: "`withCompletionHandler` or `CancellationToken.run`",
    section: "Callbacks that come twice or never",
    example: "func load(completion: @escaping (Result<User, any Error>) -> Void)",
    repaired: "func load() async throws -> User",
    find: { file, project in
      file.all(FunctionDeclSyntax.self).filter { !CompletionPathsRule.handlers(of: $0, project).isEmpty }.map
      { Syntax($0) }
    }),
]

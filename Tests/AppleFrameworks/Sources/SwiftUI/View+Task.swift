extension View {
  /// https://developer.apple.com/documentation/swiftui/view/task(priority:_:)
  nonisolated public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @concurrent @Sendable () async -> Void
  ) -> some View {
    modifier(TaskModifier(id: 0, priority: priority, action: action))
  }

  /// https://developer.apple.com/documentation/swiftui/view/task(id:priority:_:)
  nonisolated public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @concurrent @Sendable () async -> Void
  ) -> some View {
    modifier(TaskModifier(id: value, priority: priority, action: action))
  }
}

private struct TaskModifier<ID: Equatable> {
  let id: ID
  let priority: TaskPriority
  let action: @concurrent @Sendable () async -> Void
}

extension TaskModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    node.effect(create: TaskEffect<ID>.init).modifier = self
    return [Child(content)]
  }
}

private final class TaskEffect<ID: Equatable>: Effect {
  private var task: Task<Void, Never>?

  var modifier: TaskModifier<ID>? {
    didSet { if node?.hasAppeared == true, let oldValue, oldValue.id != modifier?.id { appear() } }
  }

  deinit { task?.cancel() }

  override func appear() {
    task?.cancel()
    guard let modifier else { return }
    task = Task(priority: modifier.priority) { await modifier.action() }
  }

  override func disappear() {
    task?.cancel()
    task = nil
  }
}

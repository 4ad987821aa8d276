import Synchronization

/// Keeps tasks for an owner, and cancels them when it goes away: what a view model, a screen or a server's session holds its
/// running work in.
///
/// - Promises: a task that has ended is shed at once; work that comes after ``close()`` is cancelled at once.
/// - Isolation: none. Any thread may add, cancel and close.
/// - Cancellation: ``cancelAll()`` and ``close()`` cancel, they do not wait. A task that must not keep its owner alive captures it
///   weakly; see ``observe(_:on:_:)-(_,Actor,_)``.
/// - Cost: O(1) for each task.
public final class TaskBag: Sendable {
  private let contents = TaskBagContents()

  public init() {}

  /// How many tasks are under way.
  public var count: Int { contents.count }

  /// Starts `work`, isolated as its closure is, and keeps its task until it ends.
  @discardableResult
  public func run(
    priority: TaskPriority? = nil, _ work: @escaping @isolated(any) @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let number = contents.reserve()
    let task = Task(priority: priority) { [contents] in
      await work()
      contents.remove(number)
    }
    contents.fill(number, cancel: task.cancel)
    return task
  }

  /// Keeps a task that was started elsewhere until it ends.
  public func insert<Success: Sendable, Failure: Error>(_ task: Task<Success, Failure>) {
    let number = contents.reserve()
    contents.fill(number, cancel: task.cancel)
    Task { [contents] in
      _ = await task.result
      contents.remove(number)
    }
  }

  /// Keeps a token until the bag is cancelled or goes away.
  public func insert(_ token: CancellationToken) {
    contents.fill(contents.reserve(), cancel: token.cancel)
  }

  /// Cancels what is under way. The bag can be used again.
  public func cancelAll() { contents.cancelAll(closing: false) }

  /// Cancels what is under way, and from now on whatever is added.
  public func close() { contents.cancelAll(closing: true) }

  deinit { contents.cancelAll(closing: true) }
}

/// What a bag shares with its tasks, which must not hold the bag itself, since its end is what cancels them.
private final class TaskBagContents: Sendable {
  private struct Guarded {
    var next: UInt64 = 0
    /// An entry without a cancel action is one whose task is just being made.
    var entries: [UInt64: (@Sendable () -> Void)?] = [:]
    var isClosed = false
  }

  private let guarded = Mutex(Guarded())

  var count: Int { guarded.withLock { $0.entries.count } }

  func reserve() -> UInt64 {
    guarded.withLock { bag in
      bag.next += 1
      bag.entries[bag.next] = .some(nil)
      return bag.next
    }
  }

  /// Completes an entry. It is gone if its task has ended already, or the bag was cancelled in between.
  func fill(_ number: UInt64, cancel: @escaping @Sendable () -> Void) {
    let mustCancel = guarded.withLock { bag in
      guard !bag.isClosed else {
        bag.entries[number] = nil
        return true
      }
      if bag.entries[number] != nil { bag.entries[number] = cancel }
      return false
    }
    if mustCancel { cancel() }
  }

  func remove(_ number: UInt64) {
    guarded.withLock { _ = $0.entries.removeValue(forKey: number) }
  }

  func cancelAll(closing: Bool) {
    let actions = guarded.withLock { bag in
      if closing { bag.isClosed = true }
      let filled = bag.entries.filter { $0.value != nil }
      for number in filled.keys { bag.entries[number] = nil }
      return filled.values
    }
    for action in actions { action?() }
  }
}

import Synchronization

/// Keeps tasks for an owner, and cancels them when it goes away: what a view model, a screen or a server's session holds its
/// running work in.
///
/// - Promises: a task that has ended is shed at once; work that comes after ``close()`` is cancelled before it begins.
/// - Isolation: none. Any thread may add, cancel and close.
/// - Cancellation: ``cancelAll()`` and ``close()`` cancel, they do not wait.
/// - Ownership: a task keeps what its closure names until it ends. Where that is the owner of the bag, the owner stays as long, and
///   its end cancels nothing: capture it weakly, and for a loop over a stream use `observe(on:_:)`.
/// - Cost: O(1) for each task, and a sort of those that are cancelled together.
public final class TaskBag: Sendable {
  private let contents = TaskBagContents()

  public init() {}

  /// How many tasks are under way.
  public var count: Int { contents.count }

  /// Starts `work`, and keeps its task until it ends.
  ///
  /// - Isolation: that of the code which calls, as with `Task.init`: on the main actor without further ado, on an actor where the
  ///   closure names it.
  /// - Ownership: a closure that names `self` keeps it until `work` ends.
  @discardableResult
  public func run(
    priority: TaskPriority? = nil,
    @_inheritActorContext _ work: @escaping @isolated(any) @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let number = contents.reserve()
    let entry = LiveObjectToken(.task, "TaskBag")
    let task = Task(priority: priority) { [contents] in
      defer { entry.end() }
      if !contents.contains(number) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
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
    let entry = LiveObjectToken(.task, "TaskBag")
    Task { [contents] in
      defer { entry.end() }
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
    /// An entry without a cancel action is one whose task is just being made. One that is gone has ended or was cancelled.
    var entries: [UInt64: (@Sendable () -> Void)?] = [:]
    var isClosed = false
  }

  private let guarded = Mutex(Guarded())

  var count: Int { guarded.withLock { $0.entries.count } }

  func reserve() -> UInt64 {
    guarded.withLock { bag in
      bag.next += 1
      if !bag.isClosed { bag.entries[bag.next] = .some(nil) }
      return bag.next
    }
  }

  func contains(_ number: UInt64) -> Bool { guarded.withLock { $0.entries[number] != nil } }

  /// Completes an entry. Where it is gone there is nothing to keep, and to cancel what has ended does no harm.
  func fill(_ number: UInt64, cancel: @escaping @Sendable () -> Void) {
    let isKept = guarded.withLock { bag in
      guard bag.entries[number] != nil else { return false }
      bag.entries[number] = cancel
      return true
    }
    if !isKept { cancel() }
  }

  func remove(_ number: UInt64) {
    // What the action captured is released after the unlock: a deinit can be any code.
    withExtendedLifetime(guarded.withLock { $0.entries.removeValue(forKey: number) }) {}
  }

  func cancelAll(closing: Bool) {
    let actions = guarded.withLock { bag in
      if closing { bag.isClosed = true }
      // In the order in which they came, so that the same happens each time.
      let actions = bag.entries.sorted { $0.key < $1.key }.map(\.value)
      bag.entries = [:]
      return actions
    }
    for action in actions { action?() }
  }
}

import Synchronization

/// Keeps running tasks for an owner, and cancels them when the bag is released.
///
/// A view model, a screen or a server session stores its running work in a bag. The bag drops a task when the
/// task ends. Work that is added after ``close()`` is cancelled at once: if ``run(priority:_:)`` starts a
/// task after ``close()``, the task is cancelled before its work begins.
///
/// - Isolation: None. Add, cancel and close on any thread.
/// - Cancellation: ``cancelAll()`` and ``close()`` cancel without waiting for the tasks to end.
/// - Ownership: A task keeps the captures of its closure until the task ends. If the closure captures the bag's
///   owner, the task keeps the owner and the bag alive. So capture the owner weakly, and read a stream with
///   `observe(on:_:)`.
/// - Complexity: O(1) to add or remove a task, O(n log n) to cancel all n entries.
public final class TaskBag: Sendable {
  private let contents = TaskBagContents()

  /// Creates an empty bag.
  public init() {}

  /// The number of tasks and tokens in the bag.
  public var count: Int { contents.count }

  /// Starts a task that runs `work`, and keeps the task in the bag until it ends.
  ///
  /// - Isolation: `work` inherits the caller's isolation, as with `Task.init`. On an actor other than the main
  ///   actor, `work` inherits the isolation only if the closure captures that actor.
  /// - Ownership: A closure that captures `self` keeps `self` alive until `work` ends.
  @discardableResult
  public func run(
    priority: TaskPriority? = nil,
    @_inheritActorContext _ work: @escaping @isolated(any) @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let number = contents.reserve()
    let liveObject = LiveObjectToken(.task, "TaskBag")
    let task = Task(priority: priority) { [contents] in
      defer { liveObject.end() }
      if !contents.contains(number) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      await work()
      contents.remove(number)
    }
    contents.fill(number, cancel: task.cancel)
    return task
  }

  /// Adds a task that was started elsewhere. The bag keeps the task until the task ends.
  public func insert<Success: Sendable, Failure: Error>(_ task: Task<Success, Failure>) {
    let number = contents.reserve()
    contents.fill(number, cancel: task.cancel)
    let liveObject = LiveObjectToken(.task, "TaskBag")
    Task { [contents] in
      defer { liveObject.end() }
      _ = await task.result
      contents.remove(number)
    }
  }

  /// Adds a token, which the bag keeps even if the work of the token ends. ``cancelAll()``, ``close()`` and
  /// the release of the bag cancel the token.
  public func insert(_ token: CancellationToken) {
    contents.fill(contents.reserve(), cancel: token.cancel)
  }

  /// Cancels and drops everything in the bag, without closing the bag.
  public func cancelAll() { contents.cancelAll(closing: false) }

  /// Cancels and drops everything in the bag, and cancels everything that is added later.
  public func close() { contents.cancelAll(closing: true) }

  deinit { contents.cancelAll(closing: true) }
}

/// The contents of a bag, shared with its tasks.
///
/// The tasks must not keep the bag itself alive, because releasing the bag cancels them.
private final class TaskBagContents: Sendable {
  private struct Guarded {
    var next: UInt64 = 0
    /// The cancel action of each entry, or `nil` while the task of the entry is being created. Ended and
    /// cancelled entries have been removed.
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

  /// Sets the cancel action of an entry. If the entry has been removed, calls `cancel` at once, which has no
  /// effect on an ended task.
  func fill(_ number: UInt64, cancel: @escaping @Sendable () -> Void) {
    let isKept = guarded.withLock { bag in
      guard bag.entries[number] != nil else { return false }
      bag.entries[number] = cancel
      return true
    }
    if !isKept { cancel() }
  }

  func remove(_ number: UInt64) {
    // The captures of the action are released after the unlock: their `deinit` can run any code.
    withExtendedLifetime(guarded.withLock { $0.entries.removeValue(forKey: number) }) {}
  }

  func cancelAll(closing: Bool) {
    let actions = guarded.withLock { bag in
      if closing { bag.isClosed = true }
      // Sorted by insertion, so that the order of the cancellations is deterministic.
      let actions = bag.entries.sorted { $0.key < $1.key }.map(\.value)
      bag.entries = [:]
      return actions
    }
    for action in actions { action?() }
  }
}

import Synchronization

/// Keeps running tasks for an owner, and cancels them when the bag is released.
///
/// ```swift
/// private let tasks = TaskBag()
///
/// func start() {
///   tasks.run { [service] in await service.warmUp() }
///   feed.observe(on: self) { model, price in model.show(price) }.store(in: tasks)
/// }
/// ```
///
/// The bag drops a task when the task ends, and a token when its work has ended. Work that is added
/// after ``close()`` is cancelled at once. A task that ``run(priority:_:)`` starts then is
/// cancelled before its work begins.
///
/// - Isolation: None. Add and close on any thread.
/// - Ordering: Tasks and tokens are cancelled in the order in which they were added.
/// - Cancellation: ``close()`` cancels without waiting for the tasks to end.
/// - Ownership: A task keeps the captures of its closure until the task ends. Capture the owner of
///   the bag weakly, and read a stream with `observe(on:_:)`. Otherwise, the task keeps the owner
///   and the bag alive.
/// - Complexity: Amortized O(1) to add or remove a task or a token, O(n log n) to cancel all n
///   entries.
public final class TaskBag: Sendable {
  private let contents = TaskBagContents()

  /// Creates an empty bag.
  public init() {}

  /// The number of tasks and tokens in the bag whose work has not ended.
  ///
  /// - Complexity: O(entries).
  public var count: Int { contents.count }

  /// Starts a task that runs `work`, and keeps the task in the bag until it ends.
  ///
  /// - Isolation: `work` inherits the caller's isolation, as with `Task.init`. On an actor other
  ///   than the main actor, `work` inherits the isolation only if the closure captures that actor.
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
      contents.note(.taskStarted, number)
      if !contents.contains(number) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      await work()
      contents.remove(number)
      contents.note(.taskEnded, number)
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

  /// Adds a token. ``close()`` and the release of the bag cancel the token.
  ///
  /// The work of a token has ended after ``CancellationToken/finish()`` and
  /// ``CancellationToken/cancel()``. The work of an observation also ends with its source. The bag
  /// drops ended tokens from time to time.
  public func insert(_ token: CancellationToken) {
    contents.fill(contents.reserve(), token: token, cancel: token.cancel)
  }

  /// Cancels and drops everything in the bag, and cancels everything that is added later.
  public func close() { contents.close() }

  deinit { contents.close() }
}

/// The contents of a bag, shared with its tasks.
///
/// The tasks must not keep the bag itself alive, because releasing the bag cancels them.
private final class TaskBagContents: Sendable {
  private struct Entry: Sendable {
    /// The token of the entry. `nil` for a task.
    var token: CancellationToken?
    /// `nil` while the task of the entry is being created.
    var cancel: (@Sendable () -> Void)?

    var hasEnded: Bool { token?.hasEnded ?? false }
  }

  private struct Guarded {
    var entries = NumberedEntries<Entry>()
    var isClosed = false
  }

  private let guarded = Mutex(Guarded())
  private let recordedObject = FlightEvents.object(.bagCreated, of: TaskBag.self)

  /// Reports an event to the flight recorder.
  func note(_ event: RecordedEvent, _ number: UInt64) {
    FlightEvents.note(event, recordedObject, number)
  }

  var count: Int { guarded.withLock { $0.entries.count { !$0.hasEnded } } }

  func reserve() -> UInt64 {
    guarded.take { bag in
      let ended = bag.entries.removeOften(where: \.hasEnded)
      return (bag.entries.reserve(bag.isClosed ? nil : Entry()), ended)
    }.0
  }

  func contains(_ number: UInt64) -> Bool { guarded.withLock { $0.entries.byNumber[number] != nil } }

  /// Sets the cancel action of an entry. If the entry has been removed, calls `cancel` at once,
  /// which has no effect on an ended task.
  func fill(_ number: UInt64, token: CancellationToken? = nil, cancel: @escaping @Sendable () -> Void) {
    let isKept = guarded.withLock { bag in
      guard bag.entries.byNumber[number] != nil else { return false }
      bag.entries.byNumber[number] = Entry(token: token, cancel: cancel)
      return true
    }
    if !isKept { cancel() }
  }

  func remove(_ number: UInt64) { guarded.take { $0.entries.byNumber.removeValue(forKey: number) } }

  func close() {
    let (entries, wasClosed) = guarded.withLock { bag in
      (bag.entries.removeAll(), exchange(&bag.isClosed, with: true))
    }
    if !wasClosed { note(.bagClosed, UInt64(entries.count)) }
    for entry in entries { entry.cancel?() }
  }
}

extension CancellationToken {
  /// Keeps this token in a bag, which cancels it when the bag is cancelled, closed or released.
  ///
  /// ```swift
  /// cart.observe(on: self) { screen, state in screen.show(state) }.store(in: bag)
  /// ```
  public func store(in bag: TaskBag) { bag.insert(self) }
}

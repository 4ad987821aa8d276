/// Asynchronous work with a name, for example the load of one section of a screen.
public struct NamedTask<Name: Hashable & Sendable, Output: Sendable>: Sendable {
  /// The name that identifies the outcome of the work.
  public let name: Name
  @usableFromInline let work: @Sendable () async throws -> Output

  /// Creates a task that does not start until ``Swift/Collection/runConcurrently(limit:isolation:receive:)``
  /// runs it.
  @inlinable
  public init(_ name: Name, _ work: @escaping @Sendable () async throws -> Output) {
    self.name = name
    self.work = work
  }
}

extension Collection {
  /// Runs the tasks concurrently, at most `limit` at a time, and delivers each outcome as soon as its task
  /// has ended.
  ///
  /// ```swift
  /// try await [NamedTask(.profile) { … }, NamedTask(.orders) { … }].runConcurrently { name, outcome in
  ///   state.receive(outcome, for: name)
  /// }
  /// ```
  ///
  /// The call is structured: when it returns, no task is running. The call therefore waits for a task that
  /// ignores cancellation, however long that task takes, and still delivers the task's outcome. A caller that
  /// no longer wants the outcome has to ignore it in `receive`.
  ///
  /// - Isolation: The tasks run in child tasks, on no actor. `receive` runs in the caller's isolation, so
  ///   that an actor can publish partial results without a hop.
  /// - Ordering: `receive` is called exactly once for each task, one call at a time, in the order in which
  ///   the tasks end.
  /// - Errors: An error of one task has no effect on the other tasks.
  /// - Cancellation: Cancelling the caller cancels all running tasks. The remaining tasks are not started.
  ///   Their outcome is delivered as ``TaskOutcome/cancelled``.
  /// - Throws: Only ``ParallelError``. If the call throws, no task was started.
  /// - Complexity: One child task for each element, never more than `limit` at the same time.
  @inlinable
  public func runConcurrently<Name, Output>(
    limit: Int? = nil, isolation: isolated (any Actor)? = #isolation,
    receive: (Name, TaskOutcome<Output>) async -> Void
  ) async throws(ParallelError) where Element == NamedTask<Name, Output> {
    try ParallelError.check(limit: limit)
    try checkNames()
    await run(limit: limit, receive: receive)
  }

  /// Runs the tasks. Requires unique names and a positive limit.
  @inlinable
  func run<Name, Output>(
    limit: Int?, isolation: isolated (any Actor)? = #isolation,
    receive: (Name, TaskOutcome<Output>) async -> Void
  ) async where Element == NamedTask<Name, Output> {
    await withTaskGroup(of: (Name, TaskOutcome<Output>).self) { group in
      // `receive` needs the caller's isolation. This closure inherits that isolation only if it captures
      // `isolation`.
      _ = isolation
      var running = 0
      for task in self {
        if running == limit, let (name, outcome) = await group.next() {
          running -= 1
          await receive(name, outcome)
        }
        let isRunning = group.addTaskUnlessCancelled {
          // The cancellation can come before the task begins.
          (task.name, Task.isCancelled ? .cancelled : await TaskOutcome(of: task.work))
        }
        if isRunning { running += 1 } else { await receive(task.name, .cancelled) }
      }
      for await (name, outcome) in group { await receive(name, outcome) }
    }
  }

  @inlinable
  func checkNames<Name, Output>() throws(ParallelError) where Element == NamedTask<Name, Output> {
    var names = Set<Name>(minimumCapacity: count)
    for task in self where !names.insert(task.name).inserted {
      throw .duplicateName(String(describing: task.name))
    }
  }
}

extension Collection where Element: Hashable & Sendable {
  /// Runs `work` for all elements concurrently, and delivers each outcome as soon as its work has ended.
  ///
  /// The elements are the names of the outcomes. The guarantees are those of
  /// ``Swift/Collection/runConcurrently(limit:isolation:receive:)``, but there is no limit, and no error is
  /// thrown. The work starts in the order of the collection. The order of a `Set` changes from run to run.
  ///
  /// An element that occurs again is ignored: its work runs once, and its outcome is delivered once.
  @inlinable
  public func runConcurrently<Output: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (Element) async throws -> Output,
    receive: (Element, TaskOutcome<Output>) async -> Void
  ) async {
    var names = Set<Element>(minimumCapacity: count)
    await filter { names.insert($0).inserted }.map { name in NamedTask(name) { try await work(name) } }.run(
      limit: nil, receive: receive)
  }
}

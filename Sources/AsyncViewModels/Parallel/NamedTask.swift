/// A piece of work with a name: one section of a screen that is put together from several services.
public struct NamedTask<Name: Hashable & Sendable, Output: Sendable>: Sendable {
  public let name: Name
  @usableFromInline let work: @Sendable () async throws -> Output

  @inlinable
  public init(_ name: Name, _ work: @escaping @Sendable () async throws -> Output) {
    self.name = name
    self.work = work
  }
}

extension Collection {
  /// Runs the parts at the same time, at most `limit` at once, and hands over how each one ended as soon as it has.
  ///
  /// ```swift
  /// try await [NamedTask(.profile) { … }, NamedTask(.orders) { … }].runConcurrently { name, outcome in
  ///   state.receive(outcome, for: name)
  /// }
  /// ```
  ///
  /// - Promises: `receive` is called exactly once for each part, one at a time, in the order in which they end. One that
  ///   fails does not touch the others.
  /// - Isolation: the parts run in child tasks, on no actor; `receive` runs in the caller's isolation, so that an actor
  ///   publishes partial results without a hop.
  /// - Cancellation: of the caller cancels what is under way. What was left to begin is not begun, and handed over as
  ///   ``TaskOutcome/cancelled``.
  /// - Structured: nothing runs any more when this returns. A part that ignores cancellation is waited for, however long it
  ///   takes; nothing of it is dropped, so a caller that has moved on has to look at `receive` itself.
  /// - Throws: only ``ParallelError``, and then nothing was started.
  /// - Cost: one child task for each part, never more than `limit` at the same time.
  @inlinable
  public func runConcurrently<Name, Output>(
    limit: Int? = nil, isolation: isolated (any Actor)? = #isolation,
    receive: (Name, TaskOutcome<Output>) async -> Void
  ) async throws(ParallelError) where Element == NamedTask<Name, Output> {
    try ParallelError.check(limit: limit)
    try checkNames()
    await run(limit: limit, receive: receive)
  }

  /// The parts, which have different names, and a limit that is in order.
  @inlinable
  func run<Name, Output>(
    limit: Int?, isolation: isolated (any Actor)? = #isolation,
    receive: (Name, TaskOutcome<Output>) async -> Void
  ) async where Element == NamedTask<Name, Output> {
    await withTaskGroup(of: (Name, TaskOutcome<Output>).self) { group in
      // The closure has the caller's isolation only if it captures it: `receive` relies on that.
      _ = isolation
      var running = 0
      for part in self {
        if running == limit, let (name, outcome) = await group.next() {
          running -= 1
          await receive(name, outcome)
        }
        let isRunning = group.addTaskUnlessCancelled { (part.name, await TaskOutcome(of: part.work)) }
        if isRunning { running += 1 } else { await receive(part.name, .cancelled) }
      }
      for await (name, outcome) in group { await receive(name, outcome) }
    }
  }

  @inlinable
  func checkNames<Name, Output>() throws(ParallelError) where Element == NamedTask<Name, Output> {
    var names = Set<Name>(minimumCapacity: count)
    for part in self where !names.insert(part.name).inserted {
      throw .duplicateName(String(describing: part.name))
    }
  }
}

extension Collection where Element: Hashable & Sendable {
  /// Runs `work` for every name at the same time, begun in their order, and hands over how each one ended as soon as it has: the
  /// promises are those of ``Swift/Collection/runConcurrently(limit:isolation:receive:)``, with nothing to refuse.
  ///
  /// - Precondition: the names differ, as those of a set do. The order of a set is another one each time.
  @inlinable
  public func runConcurrently<Output: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (Element) async throws -> Output,
    receive: (Element, TaskOutcome<Output>) async -> Void
  ) async {
    guard Set(self).count == count else {
      fatalError("runConcurrently: a name stands twice among \(Array(self))")
    }
    await map { name in NamedTask(name) { try await work(name) } }.run(limit: nil, receive: receive)
  }
}

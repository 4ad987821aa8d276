extension Collection where Element: Sendable {
  /// Runs `work` for all elements concurrently, and delivers each outcome as soon as its work has
  /// ended.
  ///
  /// Use this method for a screen with several parts that load on their own:
  ///
  /// ```swift
  /// await [Part.profile, .orders].runConcurrently { part in
  ///   try await load(part)
  /// } receive: { part, outcome in
  ///   state.receive(outcome, for: part)
  /// }
  /// ```
  ///
  /// | event | effect |
  /// | --- | --- |
  /// | the work of an element ends | `receive` is called, one call at a time, in the caller's isolation: an actor publishes partial results without a hop. |
  /// | the work of an element fails | The others continue. |
  /// | the caller is cancelled | All running work is cancelled, and no other starts. Its outcome is ``TaskOutcome/cancelled``. |
  /// | work ignores its cancellation | The call waits for it and delivers its outcome: when the call returns, no work is running. |
  ///
  /// - Isolation: `work` runs in child tasks, on no actor.
  /// - Complexity: One child task for each element.
  @export(implementation)
  public func runConcurrently<Output: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (Element) async throws -> Output,
    receive: (Element, TaskOutcome<Output>) async -> Void
  ) async {
    await run(limit: nil, work, receive: receive)
  }

  /// Runs `work` for all elements concurrently, at most `limit` at a time, and delivers each
  /// outcome as soon as its work has ended.
  ///
  /// All other guarantees are those of ``runConcurrently(isolation:_:receive:)``.
  ///
  /// - Throws: Only ``ParallelError``. If the call throws, no work was started.
  @export(implementation)
  public func runConcurrently<Output: Sendable>(
    limit: Int, isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (Element) async throws -> Output,
    receive: (Element, TaskOutcome<Output>) async -> Void
  ) async throws(ParallelError) {
    try ParallelError.check(limit: limit)
    await run(limit: limit, work, receive: receive)
  }

  /// Runs the work. Requires a positive limit.
  @export(implementation)
  func run<Output: Sendable>(
    limit: Int?, isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (Element) async throws -> Output,
    receive: (Element, TaskOutcome<Output>) async -> Void
  ) async {
    await withTaskGroup(of: (Element, TaskOutcome<Output>).self) { group in
      // `receive` needs the caller's isolation. This closure inherits that isolation only if it
      // captures `isolation`.
      _ = isolation
      var running = 0
      for element in self {
        if running == limit, let (ended, outcome) = await group.next() {
          running -= 1
          await receive(ended, outcome)
        }
        let isRunning = group.addTaskUnlessCancelled {
          // The cancellation can come before the task begins.
          (element, Task.isCancelled ? .cancelled : await TaskOutcome { try await work(element) })
        }
        if isRunning { running += 1 } else { await receive(element, .cancelled) }
      }
      for await (element, outcome) in group { await receive(element, outcome) }
    }
  }
}

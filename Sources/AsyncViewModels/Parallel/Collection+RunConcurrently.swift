extension Collection where Element: Sendable {
  /// Runs `work` for all elements concurrently, at most `limit` at a time, and delivers each
  /// outcome as soon as its work has ended.
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
  /// - Parameters:
  ///   - limit: How much work runs at the same time: `nil` for all. A limit below 1 counts as 1.
  ///   - isolation: The actor on which `receive` is called: by default, that of the caller.
  ///   - work: The work for an element.
  ///   - receive: Is called with an element and the outcome of its work.
  /// - Isolation: `work` runs in child tasks, on no actor.
  /// - Complexity: One child task for each element.
  @export(implementation)
  public func runConcurrently<Output: Sendable>(
    limit: Int? = nil, isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (Element) async throws -> Output,
    receive: (Element, TaskOutcome<Output>) async -> Void
  ) async {
    await withTaskGroup(of: (Element, TaskOutcome<Output>).self) { group in
      // `receive` needs the caller's isolation. This closure inherits that isolation only if it
      // captures `isolation`.
      _ = isolation
      let limit = Swift.max(limit ?? .max, 1)
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

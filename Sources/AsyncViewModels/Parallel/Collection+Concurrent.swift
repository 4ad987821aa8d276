extension Collection where Element: Sendable {
  /// Transforms all elements at the same time, at most `limit` at once, and returns the results in the order of the
  /// elements. The first error ends it.
  ///
  /// - Isolation: `transform` runs in child tasks, on no actor.
  /// - Errors: the first one, in time, cancels what is under way, and is thrown when that has ended. Nothing else is begun.
  /// - Cancellation: of the caller cancels what is under way. Where something was left to begin, it is not begun, and
  ///   `CancellationError` is thrown.
  /// - Structured: nothing runs any more when this returns. A `transform` that ignores cancellation is waited for, however
  ///   long it takes.
  /// - Throws: what `transform` throws, `CancellationError`, or ``ParallelError/invalidLimit(_:)``.
  /// - Cost: as many child tasks as may run at once, however many elements there are. Without a `limit` that is one for
  ///   each element.
  @inlinable
  public nonisolated(nonsending) func concurrentMap<Output: Sendable>(
    limit: Int? = nil, _ transform: @escaping @Sendable (Element) async throws -> Output
  ) async throws -> [Output] {
    try ParallelError.check(limit: limit)
    let work = ParallelWork<Element, Output>(self)
    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<work.workerCount(limit: limit) {
        group.addTask {
          try await work.takeAll { element in
            try Task.checkCancellation()
            return try await transform(element)
          }
        }
      }
    }
    return work.results
  }

  /// Transforms all elements at the same time, at most `limit` at once, and returns how each one ended, in the order of
  /// the elements. One failure does not touch the others.
  ///
  /// - Isolation, structure and cost: as of ``concurrentMap(limit:_:)``.
  /// - Cancellation: of the caller cancels what is under way. What was left to begin is not begun: its outcome is
  ///   ``TaskOutcome/cancelled``. What has ended keeps its outcome.
  /// - Throws: only ``ParallelError/invalidLimit(_:)``.
  @inlinable
  public nonisolated(nonsending) func concurrentResults<Output: Sendable>(
    limit: Int? = nil, _ transform: @escaping @Sendable (Element) async throws -> Output
  ) async throws(ParallelError) -> [TaskOutcome<Output>] {
    try ParallelError.check(limit: limit)
    let work = ParallelWork<Element, TaskOutcome<Output>>(self)
    await withDiscardingTaskGroup { group in
      for _ in 0..<work.workerCount(limit: limit) {
        group.addTask {
          await work.takeAll { element in
            if Task.isCancelled { return .cancelled }
            return await TaskOutcome { try await transform(element) }
          }
        }
      }
    }
    return work.results
  }
}

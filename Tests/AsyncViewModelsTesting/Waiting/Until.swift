/// Yields to other tasks until `condition` holds. Runs on the caller's actor and never sleeps.
///
/// - Throws: `CancellationError` if the task is cancelled, for example by the time limit of the test.
package func until(_ condition: () -> Bool) async throws {
  while !condition() {
    try Task.checkCancellation()
    await Task.yield()
    // A yield on the main actor returns before tasks on other executors have run.
    await Task.detached {}.value
  }
}

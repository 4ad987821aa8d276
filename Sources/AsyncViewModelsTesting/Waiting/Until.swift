/// Yields to other tasks until `condition` holds. Runs on the caller's actor and never sleeps.
///
/// - Throws: ``ConditionNotMet`` if the task is cancelled, for example by the time limit of the
///   test.
package func until(
  fileID: StaticString = #fileID, line: UInt = #line, _ condition: () -> Bool
) async throws {
  while !condition() {
    guard !Task.isCancelled else { throw ConditionNotMet(place: "\(fileID):\(line)") }
    await Task.yield()
    // A yield on the main actor returns before tasks on other executors have run.
    await Task.detached {}.value
  }
}

/// The error of a test that was cancelled while it waited for a condition.
package struct ConditionNotMet: Error, CustomStringConvertible {
  /// The file and the line of the wait.
  package let place: String

  package var description: String { "The test was cancelled while it waited for the condition at \(place)" }
}

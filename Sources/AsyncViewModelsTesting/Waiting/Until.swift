/// Waits until a condition holds that no stream reports, such as what a view shows.
///
/// ```swift
/// try await until { screen.rows == ["bread"] }
/// ```
///
/// For the values of a stream, use ``StateRecorder``: it also sees a value that is soon replaced.
///
/// - Isolation: Checks the condition on the caller's actor, between other tasks. Never sleeps.
/// - Throws: An error that names the place of the wait if the task is cancelled, for example by the
///   time limit of the test. So a condition that never holds does not hang.
public func until(
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

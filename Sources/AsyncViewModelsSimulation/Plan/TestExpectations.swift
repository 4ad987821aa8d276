import Synchronization

#if canImport(Testing)
  import Testing
#endif

/// Makes a failed expectation of Swift Testing in a simulated world fail the run, as an expectation
/// of the world does.
enum TestExpectations {
  /// Performs a simulation, and makes a failed expectation in one of its worlds fail the run.
  ///
  /// The expectation does not fail the test directly, because the reduction of the run may repeat
  /// it a thousand times. Instead, the test fails once, with the ``SimulationFailure``.
  static func failRuns<Result: Sendable>(
    of simulation: @escaping @Sendable () async -> Result
  ) async -> Result {
    #if canImport(Testing)
      guard let test = Test.current else { return await simulation() }
      let result = Mutex<Result?>(nil)
      let handler: IssueHandlingTrait = .compactMapIssues(report)
      // `provideScope` throws only outside a test, and a test runs here.
      try? await handler.provideScope(for: test, testCase: Test.Case.current) {
        let value = await simulation()
        result.withLock { $0 = value }
      }
      if let result = result.withLock({ $0 }) { return result }
    #endif
    return await simulation()
  }

  #if canImport(Testing)
    /// Passes an issue to the world that this thread runs. Returns the issue if it belongs to the
    /// test instead.
    ///
    /// Swift Testing passes an issue without a test to the handlers of all running tests. Each
    /// handler can drop the issue only for its own test, so this handler does that.
    private static func report(_ issue: Issue) -> Issue? {
      let hasTest = Test.current != nil
      guard issue.isFailure, let world = JobCapture.current else { return hasTest ? issue : nil }
      let message = (["\(issue.kind)"] + issue.comments.map(\.rawValue)).joined(separator: ": ")
      let place = issue.sourceLocation.map { "\($0.fileID):\($0.line)" } ?? "unknown place"
      if !hasTest { world.recordsIssues = true }
      let note = hasTest ? "" : ", in a detached task, where Swift Testing knows no test"
      world.fail(.expectation(message + note, at: place))
      return nil
    }
  #endif
}

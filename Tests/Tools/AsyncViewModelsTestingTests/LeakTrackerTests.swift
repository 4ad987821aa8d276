import AsyncViewModelsTesting
import Testing

@Suite("LeakTracker", .timeLimit(.minutes(5)), .endsWaits)
struct LeakTrackerTests {
  private final class Subject: Sendable {}

  @Test("a released object is not a leak")
  func released() async throws {
    let tracker = LeakTracker()
    do { tracker.track(Subject()) }
    try await tracker.assertAllReleased()
    #expect(tracker.survivors.isEmpty)
  }

  @Test("the error names the live objects in the order in which they were tracked")
  func survivorsAreNamed() async {
    let tracker = LeakTracker()
    let kept = (tracker.track(Subject()), tracker.track(Subject(), "the second"))
    tracker.track(Subject(), "the third")
    let error = LeakError(survivors: ["Subject", "the second"])
    await #expect(throws: error) { try await tracker.assertAllReleased() }
    #expect("\(error)" == "These objects have leaked (2): Subject, the second")
    withExtendedLifetime(kept) {}
  }

  @Test("the check waits for a running task that soon releases its object")
  func workInFlight() async throws {
    try await LeakTracker.check { tracker in
      let subject = tracker.track(Subject())
      Task {
        for _ in 0..<50 { await Task.yield() }
        withExtendedLifetime(subject) {}
      }
    }
  }

  @Test("`check` returns the result of its body or throws the error of its body")
  func checkedScope() async throws {
    #expect(try await LeakTracker.check { _ in 42 } == 42)
    await #expect(throws: CancellationError.self) {
      try await LeakTracker.check { _ in throw CancellationError() }
    }
  }
}

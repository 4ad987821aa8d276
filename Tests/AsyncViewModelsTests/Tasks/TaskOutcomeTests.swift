import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import Testing

@Suite("TaskOutcome", .timeLimit(.minutes(5)), .endsWaits)
struct TaskOutcomeTests {
  private struct Failure: Error, Equatable {}

  @Test(
    "a cancellation error becomes the cancelled outcome",
    arguments: [
      CancellationError(), URLError(.cancelled), CocoaError(.userCancelled),
      NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled),
      NSError(domain: NSCocoaErrorDomain, code: CocoaError.userCancelled.rawValue),
    ] as [any Error])
  func cancellations(error: any Error) {
    #expect(error.isCancellation)
    guard case .cancelled = TaskOutcome<Int>(error: error) else {
      Issue.record("\(error) is not a cancellation")
      return
    }
  }

  @Test(
    "any other error becomes a failure",
    arguments: [
      Failure(), URLError(.timedOut), URLError(.networkConnectionLost), CocoaError(.fileNoSuchFile),
      NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut),
      NSError(domain: "other", code: NSURLErrorCancelled),
    ] as [any Error])
  func failures(error: any Error) {
    #expect(!error.isCancellation)
    guard case .failure = TaskOutcome<Int>(error: error) else {
      Issue.record("\(error) is not a failure")
      return
    }
  }

  @Test("a completion handler's result converts to an outcome")
  func results() throws {
    #expect(TaskOutcome(Result<Int, any Error>.success(1)).value == 1)
    #expect(TaskOutcome(Result<Int, any Error>.failure(Failure())).value == nil)
    guard case .failure(let error) = TaskOutcome(Result<Int, any Error>.failure(Failure())) else {
      Issue.record("not a failure")
      return
    }
    #expect(error is Failure)
    guard case .cancelled = TaskOutcome(Result<Int, any Error>.failure(URLError(.cancelled))) else {
      Issue.record("not cancelled")
      return
    }
  }

  @Test("a mapped outcome has the same case and the transformed value")
  func mapped() {
    #expect(TaskOutcome.success(1).map { "\($0)" }.value == "1")
    guard case .failure = TaskOutcome<Int>.failure(Failure()).map({ $0 + 1 }),
      case .cancelled = TaskOutcome<Int>.cancelled.map({ $0 + 1 })
    else { return #expect(Bool(false)) }
  }

  @Test("TaskOutcome runs the work in the caller's isolation, and captures its result")
  @MainActor
  func work() async {
    let success = await TaskOutcome {
      MainActor.assertIsolated()
      return 1
    }
    #expect(success.value == 1)
    guard case .failure = await TaskOutcome<Int>(of: { throw Failure() }) else {
      Issue.record("not a failure")
      return
    }
    guard case .cancelled = await TaskOutcome<Int>(of: { throw CancellationError() }) else {
      Issue.record("not cancelled")
      return
    }
  }
}

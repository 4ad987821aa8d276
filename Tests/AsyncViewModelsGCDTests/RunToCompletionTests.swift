import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("runToCompletion: completion handlers", .timeLimit(.minutes(5)), .endsWaits)
struct RunToCompletionTests {
  @Test("a call runs to its end and is not cancelled, although the caller stores no token")
  func runsToItsEnd() async throws {
    let calls = ScriptedCalls<Int, String>()
    let answers = Mutex<[String]>([])
    runToCompletion {
      calls(1, completion: $0)
    } completion: { result in
      answers.withLock { $0.append((try? result.get()) ?? "failed") }
    }
    let call = try await calls.next()
    #expect(call.isOpen)
    call.succeed("done")
    #expect(answers.withLock { $0 } == ["done"])
    #expect(!call.isCancelled)
  }

  @Test("the completion receives only the first result, even if the service calls its handler again")
  func firstResult() {
    let results = DeliveryLog<Int>()
    let handler = Mutex<(@Sendable (Result<Int, any Error>) -> Void)?>(nil)
    runToCompletion { (completion: @escaping @Sendable (Result<Int, any Error>) -> Void) in
      handler.withLock { $0 = completion }
      completion(.success(1))
      return .finished
    } completion: { result in
      results.append((try? result.get()) ?? 0)
    }
    handler.withLock { $0 }?(.success(2))
    handler.withLock { $0 }?(.failure(Refused()))
    #expect(results.values == [1])
  }

  @Test("if a call ends before its start closure returns, its token and its captures are released")
  func endsAtOnce() async throws {
    try await LeakTracker.check { tracker in
      let answered = Gate()
      runToCompletion { (completion: @escaping @Sendable (Result<Int, any Error>) -> Void) in
        let captured = tracker.track(Gate(), "captured")
        completion(.success(1))
        return tracker.track(CancellationToken { captured.open() }, "token")
      } completion: { _ in
        answered.open()
      }
      await answered.wait()
    }
  }

  @Test("a call that ends before its start closure returns is not cancelled")
  func endsAtOnceWithoutCancel() {
    let (results, cancels) = (DeliveryLog<Int>(), Tally())
    runToCompletion { (completion: @escaping @Sendable (Result<Int, any Error>) -> Void) in
      completion(.success(1))
      return CancellationToken { cancels.increment() }
    } completion: { result in
      results.append((try? result.get()) ?? 0)
    }
    #expect(results.values == [1])
    #expect(cancels.count == 0)
  }

  @Test("after a call has ended, its token and its captures are released")
  func releasesTheCall() async throws {
    try await LeakTracker.check { tracker in
      let calls = ScriptedCalls<Int, Int>()
      runToCompletion { completion in
        tracker.track(calls(1, completion: completion), "token")
      } completion: { [captured = tracker.track(Gate(), "captured")] _ in
        captured.open()
      }
      try await calls.next().succeed(2)
    }
  }

  @Test("after the first result, a handler that the service keeps does not keep the captures alive")
  func keptHandler() async throws {
    let handler = Mutex<(@Sendable (Result<Int, any Error>) -> Void)?>(nil)
    try await LeakTracker.check { tracker in
      runToCompletion { (completion: @escaping @Sendable (Result<Int, any Error>) -> Void) in
        handler.withLock { $0 = completion }
        return tracker.track(CancellationToken {}, "token")
      } completion: { [captured = tracker.track(Gate(), "captured")] _ in
        captured.open()
      }
      handler.withLock { $0 }?(.success(1))
    }
    handler.withLock { $0 }?(.success(2))
  }
}

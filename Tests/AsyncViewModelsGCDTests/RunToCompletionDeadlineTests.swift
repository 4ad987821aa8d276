import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("runToCompletion: deadline", .timeLimit(.minutes(5)), .endsWaits)
struct RunToCompletionDeadlineTests {
  private let clock = VirtualClock()
  private let queue = DispatchQueue(label: "deadline")

  @Test(
    "at the deadline, the completion receives `DeadlineExceeded` on the queue, and then the call is cancelled"
  )
  func expires() async throws {
    let (calls, results) = (ScriptedCalls<Int, Int>(ignoringCancellation: true), DeliveryLog<String>())
    try await LeakTracker.check { tracker in
      runToCompletion(deadline: .seconds(5), scheduler: clock, on: queue) {
        tracker.track(calls(1, completion: $0), "token")
      } completion: { [queue, captured = tracker.track(Gate(), "captured")] result in
        dispatchPrecondition(condition: .onQueue(queue))
        captured.open()
        results.append("\(result)")
      }
      let call = try await calls.next()
      clock.advance(by: .seconds(4))
      await queue.run {}
      #expect(results.values.isEmpty && !call.isCancelled)
      clock.advance(by: .seconds(1))
      await call.waitForCancellation()
    }
    // The service still has its handler, and keeps nothing alive. A late result is dropped.
    for call in calls.openCalls { call.succeed(2) }
    #expect(results.values == ["\(Result<Int, any Error>.failure(DeadlineExceeded(duration: .seconds(5))))"])
  }

  @Test("a call whose deadline is not positive does not start", arguments: [0, -1])
  func noTime(seconds: Int) async {
    let error = await withCheckedContinuation { continuation in
      runToCompletion(deadline: .seconds(seconds), scheduler: clock, on: queue) {
        (_: @escaping @Sendable (Result<Int, any Error>) -> Void) in
        Issue.record("the call has started")
        return .finished
      } completion: { [queue] result in
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.resume(returning: result)
      }
    }
    #expect(throws: DeadlineExceeded(duration: .seconds(seconds))) { try error.get() }
  }

  @Test("at the deadline, the call is cancelled even if the service keeps its token")
  func keptToken() async throws {
    let (calls, kept) = (ScriptedCalls<Int, Int>(ignoringCancellation: true), KeptToken())
    runToCompletion(deadline: .seconds(5), scheduler: clock, on: queue) { completion in
      let token = calls(1, completion: completion)
      kept.token.withLock { $0 = token }
      return token
    } completion: { _ in
    }
    let call = try await calls.next()
    clock.advance(by: .seconds(5))
    await call.waitForCancellation()
    call.succeed(1)
  }

  @Test("at the deadline, a cancellation handler may wait for the queue of the completion")
  func cancelsOutsideTheQueue() async {
    let cancelled = Gate()
    runToCompletion(deadline: .seconds(5), scheduler: clock, on: queue) {
      [queue] (_: @escaping @Sendable (Result<Int, any Error>) -> Void) in
      CancellationToken {
        queue.sync {}
        cancelled.open()
      }
    } completion: { _ in
    }
    clock.advance(by: .seconds(5))
    await cancelled.wait()
  }

  @Test("a call that ends in time is not cancelled, and its timer is released")
  func inTime() async throws {
    let (calls, results) = (ScriptedCalls<Int, Int>(), DeliveryLog<Int>())
    try await LeakTracker.check { tracker in
      runToCompletion(deadline: .seconds(5), scheduler: clock, on: queue) {
        tracker.track(calls(1, completion: $0), "token")
      } completion: { [captured = tracker.track(Gate(), "captured")] result in
        captured.open()
        results.append((try? result.get()) ?? 0)
      }
      let call = try await calls.next()
      call.succeed(7)
      clock.advance(by: .seconds(10))
      await queue.run {}
      #expect(!call.isCancelled)
    }
    #expect(results.values == [7])
  }

  @Test(
    "if the time runs out before the call has started, the call is cancelled as soon as it returns its token")
  func expiresBeforeStart() async {
    let (results, cancelled) = (Tally(), Gate())
    runToCompletion(deadline: .seconds(5), scheduler: AtOnce(), on: queue) {
      (_: @escaping @Sendable (Result<Int, any Error>) -> Void) in
      CancellationToken { cancelled.open() }
    } completion: { _ in
      results.increment()
    }
    await cancelled.wait()
    #expect(results.count == 1)
  }

  /// Keeps a token, as a service can.
  private final class KeptToken: Sendable {
    let token = Mutex<CancellationToken?>(nil)
  }

  /// A scheduler whose time has always passed.
  private struct AtOnce: CallbackScheduler {
    func schedule(
      after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> CancellationToken {
      work()
      return .finished
    }
  }
}

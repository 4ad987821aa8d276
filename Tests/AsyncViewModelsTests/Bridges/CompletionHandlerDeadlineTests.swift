import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing

@Suite("Completion handler to async, with a deadline", .timeLimit(.minutes(5)), .endsWaits)
struct CompletionHandlerDeadlineTests {
  private let call = LegacyCall<Int>()
  private let clock = VirtualClock()

  private func startWaiting() async -> Task<Int, any Error> {
    let task = Task { [call, clock] in
      try await withCompletionHandler(deadline: .seconds(5), clock: clock) { call.start($0) }
    }
    await clock.waitForSleepers(1)
    return task
  }

  @Test("a call that has no result by the deadline is cancelled, and a later result is dropped")
  func never() async {
    let task = await startWaiting()
    clock.advance(by: .seconds(5))
    await #expect(throws: DeadlineExceeded(duration: .seconds(5))) { try await task.value }
    #expect(call.cancelCount == 1)
    call.answer(1)
  }

  @Test("the time counts from the return of `start`, even if the timer starts late")
  func lateTimer() async {
    let executor = LateExecutor()
    let task = Task(executorPreference: executor) { [call, clock] in
      try await withCompletionHandler(deadline: .seconds(5), clock: clock) { completion in
        executor.beforeNextJob { clock.advance(by: .seconds(5)) }
        return call.start(completion)
      }
    }
    await #expect(throws: DeadlineExceeded(duration: .seconds(5))) { try await task.value }
  }

  @Test("a result before the deadline is returned, and the timer ends")
  func inTime() async throws {
    let task = await startWaiting()
    clock.advance(by: .seconds(4))
    call.answer(1)
    #expect(try await task.value == 1)
    #expect(call.cancelCount == 0)
    #expect(clock.sleeperCount == 0)
  }

  @Test("if the call completes before it returns its token, no timer is needed")
  func atOnce() async throws {
    let value = try await withCompletionHandler(deadline: .seconds(5), clock: clock) { completion in
      completion(.success(7))
      return .finished
    }
    #expect(value == 7)
    #expect(clock.sleeperCount == 0)
  }

  @Test("a cancellation ends the wait and the timer")
  func cancellation() async {
    let task = await startWaiting()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(call.cancelCount == 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test("a task that is already cancelled does not start the call")
  func cancelledBefore() async {
    let task = Task { [call, clock] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await withCompletionHandler(deadline: .seconds(5), clock: clock) { call.start($0) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(call.startCount == 0)
  }

  @Test(
    "a deadline that is not positive is exceeded at once, and the call does not start", arguments: [0, -1])
  func notPositive(seconds: Int) async {
    let task = Task { [call, clock] in
      try await withCompletionHandler(deadline: .seconds(seconds), clock: clock) { call.start($0) }
    }
    await #expect(throws: DeadlineExceeded(duration: .seconds(seconds))) { try await task.value }
    #expect(call.startCount == 0)
  }

  @Test("if a result races with the deadline, exactly one wins, and only the deadline cancels the token")
  func race() async {
    for _ in 0..<500 {
      let (call, clock) = (LegacyCall<Int>(), VirtualClock())
      let task = Task {
        try await withCompletionHandler(deadline: .seconds(1), clock: clock) { call.start($0) }
      }
      await clock.waitForSleepers(1)
      async let answered: Void = answer(call)
      clock.advance(by: .seconds(1))
      await answered
      switch await task.result {
      case .success(let value): #expect(value == 1 && call.cancelCount == 0)
      case .failure(let error): #expect(error is DeadlineExceeded && call.cancelCount == 1)
      }
      #expect(clock.sleeperCount == 0)
    }
  }

  @concurrent private func answer(_ call: LegacyCall<Int>) async { call.answer(1) }
}

/// Runs jobs on a serial queue. ``beforeNextJob(_:)`` adds an action that runs before the next job that is enqueued.
private final class LateExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "LateExecutor")
  private let action = Mutex<(@Sendable () -> Void)?>(nil)

  func beforeNextJob(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let action = action.withLock { $0.take() }
    queue.async {
      action?()
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("withAbandoningDeadline", .timeLimit(.minutes(5)), .endsWaits)
struct AbandoningDeadlineTests {
  private struct Failed: Error, Equatable {}

  private let clock = VirtualClock()

  @Test("an operation that ends in time returns its value or throws its error")
  func inTime() async throws {
    #expect(try await withAbandoningDeadline(.seconds(1), clock: clock) { 42 } == 42)
    await #expect(throws: Failed()) {
      try await withAbandoningDeadline(.seconds(1), clock: clock) { throw Failed() }
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "if time runs out or the caller is cancelled, an operation that ignores cancellation is abandoned",
    arguments: [true, false])
  func abandons(timeRunsOut: Bool) async throws {
    let (gate, cancelled, ended) = (Gate(), Gate(), Gate())
    let call = Task { [clock] in
      try await withAbandoningDeadline(.seconds(1), clock: clock) {
        await withTaskCancellationHandler {
          await gate.wait()
        } onCancel: {
          cancelled.open()
        }
        ended.open()
      }
    }
    await clock.waitForSleepers(1)
    await gate.waitForArrivals(1)
    if timeRunsOut {
      clock.advance(by: .seconds(1))
      await #expect(throws: DeadlineExceeded(duration: .seconds(1))) { try await call.value }
    } else {
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
    #expect(gate.waitingCount == 1)
    #expect(clock.sleeperCount == 0)
    try await cancelled.waitUnlessCancelled()
    gate.open()
    try await ended.waitUnlessCancelled()
  }

  @Test("a caller that is already cancelled starts no operation")
  func cancelledBefore() async {
    let (started, ended) = (Tally(), Gate())
    for _ in 0..<100 {
      let call = Task { [clock] in
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await withAbandoningDeadline(.seconds(1), clock: clock) {
          started.increment()
          await ended.wait()
        }
      }
      await #expect(throws: CancellationError.self) { try await call.value }
    }
    // An operation that had been started would have begun by now.
    for _ in 0..<100 { await Task.detached {}.value }
    #expect(started.count == 0)
    #expect(clock.sleeperCount == 0)
    ended.open()
  }

  @Test("operations can share one deadline, and the error names the time that was left when the call began")
  func sharedDeadline() async throws {
    let deadline = clock.now.advanced(by: .seconds(3))
    clock.advance(by: .seconds(2))
    #expect(try await withAbandoningDeadline(until: deadline, clock: clock) { 42 } == 42)
    let call = Task { [clock] in
      try await withAbandoningDeadline(until: deadline, clock: clock) {
        try await Gate().waitUnlessCancelled()
      }
    }
    await clock.waitForSleepers(1)
    clock.advance(to: deadline)
    await #expect(throws: DeadlineExceeded(duration: .seconds(1))) { try await call.value }
  }

  @Test(
    "an operation that cancels its caller and ends at once never returns a value, even if the caller does not wait yet"
  )
  func cancelsItsCaller() async throws {
    for _ in 0..<100 {
      let executor = SlowStart()
      let start = Gate()
      let call = Task(executorPreference: executor) { [clock] in
        await start.wait()
        executor.arm()
        return try await withAbandoningDeadline(.seconds(1), clock: clock) {
          executor.cancel()
          return 42
        }
      }
      executor.onCancel { call.cancel() }
      start.open()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
  }

  @Test("if the operation, the deadline and a cancellation coincide, one of them decides the result")
  func allAtOnce() async {
    for _ in 0..<3_000 {
      let gate = Gate()
      let call = Task { [clock] in
        try await withAbandoningDeadline(.seconds(1), clock: clock) {
          await gate.wait()
          return 42
        }
      }
      await clock.waitForSleepers(1)
      await withTaskGroup { group in
        group.addTask { gate.open() }
        group.addTask { [clock] in clock.advance(by: .seconds(1)) }
        group.addTask { call.cancel() }
      }
      switch await call.result {
      case .success(let value): #expect(value == 42)
      case .failure(let error): #expect(error is DeadlineExceeded || error is CancellationError)
      }
      #expect(clock.sleeperCount == 0)
    }
  }
}

/// Runs tasks one job at a time. After ``arm()``, the next task that starts here waits until ``cancel()`` was called.
///
/// `withAbandoningDeadline` starts its timer here, after the operation. So the operation ends before the call can go on.
private final class SlowStart: TaskExecutor {
  private let queue = DispatchQueue(label: "SlowStart")
  private let isArmed = Mutex(false)
  private let cancellation = Mutex<(@Sendable () -> Void)?>(nil)
  private let cancelled = DispatchSemaphore(value: 0)

  func onCancel(_ cancel: @escaping @Sendable () -> Void) { cancellation.withLock { $0 = cancel } }

  func arm() { isArmed.withLock { $0 = true } }

  func cancel() {
    cancellation.withLock { $0 }?()
    cancelled.signal()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isArmed.withLock({ exchange(&$0, with: false) }) { cancelled.wait() }
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

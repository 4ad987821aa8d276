import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import Testing
import ToolkitTestSupport

@Suite("withDeadline", .timeLimit(.minutes(5)), .endsWaits)
struct DeadlineTests {
  private struct Failed: Error, Equatable {}

  private let clock = VirtualClock()

  @Test("an operation that ends in time returns its value or throws its error")
  func inTime() async throws {
    #expect(try await withDeadline(.seconds(1), clock: clock) { 42 } == 42)
    await #expect(throws: Failed()) {
      try await withDeadline(.seconds(1), clock: clock) { throw Failed() }
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test("when time runs out, the operation is cancelled, and the error names the time that was allowed")
  func timeRunsOut() async throws {
    let notes = Notes()
    let call = Task { [clock] in
      try await withDeadline(.milliseconds(300), clock: clock) {
        do { try await clock.sleep(for: .seconds(10)) } catch { notes.add("\(error is CancellationError)") }
      }
    }
    await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(300))
    await #expect(throws: DeadlineExceeded(duration: .milliseconds(300))) { try await call.value }
    #expect(notes.all == ["true"])
    #expect(clock.sleeperCount == 0)
    #expect("\(DeadlineExceeded(duration: .milliseconds(300)))".contains("0.3 seconds"))
  }

  @Test("a duration that no clock can represent is accepted and never elapses")
  func longest() async throws {
    let longest = Duration.seconds(Int64.max)
    #expect(try await withDeadline(longest) { 1 } == 1)
    #expect(try await withDeadline(longest, clock: clock) { 2 } == 2)
    #expect(try await withAbandoningDeadline(longest) { 3 } == 3)
    let never = ContinuousClock.now.advanced(by: longest)
    #expect(try await withDeadline(until: never, clock: .continuous) { 4 } == 4)
    #expect(try await withAbandoningDeadline(until: never, clock: .continuous) { 5 } == 5)
    let answer = try await withCompletionHandler(deadline: longest) { completion in
      Task { completion(.success(4)) }
      return .finished
    }
    #expect(answer == 4)
    let state = StateStore(5)
    var debounced = state.states().debounced(for: longest).makeAsyncIterator()
    var throttled = state.states().throttled(for: longest).makeAsyncIterator()
    #expect(await throttled.next(isolation: nil) == 5)
    state.finish()
    #expect(await debounced.next(isolation: nil) == 5)
    let store = ViewModelStore<Int, Gate>(retention: longest) { _ in Gate() }
    _ = await store.lease(1)
    await store.lease(1).hold { _ in }
    #expect(store.counts.live == 1)
  }

  @Test("the call waits for an operation that ignores cancellation, and drops its late result")
  func ignoringCancellation() async {
    let (gate, notes) = (Gate(), Notes())
    let call = Task { [clock] in
      defer { notes.add("the call returns") }
      return try await withDeadline(.seconds(1), clock: clock) {
        await withTaskCancellationHandler {
          await gate.wait()
        } onCancel: {
          notes.add("the operation is cancelled")
          gate.open()
        }
        notes.add("the operation ends")
        return 42
      }
    }
    await clock.waitForSleepers(1)
    await gate.waitForArrivals(1)
    clock.advance(by: .seconds(1))
    await #expect(throws: DeadlineExceeded(duration: .seconds(1))) { try await call.value }
    #expect(notes.all == ["the operation is cancelled", "the operation ends", "the call returns"])
  }

  @Test("if the caller is cancelled, so is the operation, and the call returns or throws its result")
  func callerCancels() async throws {
    let throwing = Task { [clock] in
      try await withDeadline(.seconds(1), clock: clock) { try await clock.sleep(for: .seconds(10)) }
    }
    await clock.waitForSleepers(2)
    throwing.cancel()
    await #expect(throws: CancellationError.self) { try await throwing.value }
    #expect(clock.sleeperCount == 0)

    let returning = Task { [clock] in
      try await withDeadline(.seconds(1), clock: clock) {
        try? await clock.sleep(for: .seconds(10))
        return "partial result"
      }
    }
    await clock.waitForSleepers(2)
    returning.cancel()
    #expect(try await returning.value == "partial result")
  }

  @Test("a cancelled caller receives the value of an operation that ends later, before the deadline")
  func slowAfterCancellation() async throws {
    let gate = Gate()
    let call = Task { [clock] in
      try await withDeadline(.seconds(1), clock: clock) {
        await gate.wait()
        return 42
      }
    }
    await clock.waitForSleepers(1)
    await gate.waitForArrivals(1)
    call.cancel()
    // The cancelled timer ends, and has time to do what it must not do.
    while clock.sleeperCount > 0 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    #expect(try await call.value == 42)
  }

  @Test("without time left, the operation does not begin", arguments: [Duration.zero, .seconds(-1)])
  func noTimeLeft(duration: Duration) async {
    await #expect(throws: DeadlineExceeded(duration: duration)) {
      try await withDeadline(duration, clock: clock) { Issue.record("the operation began") }
    }
    await #expect(throws: DeadlineExceeded(duration: duration)) {
      try await withAbandoningDeadline(duration, clock: clock) { Issue.record("the operation began") }
    }
  }

  @Test("a caller that is already cancelled starts no operation")
  func cancelledBefore() async {
    let started = Tally()
    for _ in 0..<100 {
      let call = Task { [clock] in
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await withDeadline(.seconds(1), clock: clock) { _ = started.increment() }
      }
      await #expect(throws: CancellationError.self) { try await call.value }
    }
    #expect(started.count == 0)
    #expect(clock.sleeperCount == 0)
  }

  @Test("an operation whose caller is cancelled before the operation begins does not start")
  func cancelledBeforeItBegins() async {
    let (queue, started, mayBegin) = (DispatchQueue(label: "caller"), Tally(), DispatchSemaphore(value: 0))
    let owner = QueueIsolation(queue)
    let call = Task { [clock] in
      try await Self.call(on: owner, clock) {
        // The operation runs on this queue, after this block.
        queue.async { mayBegin.wait() }
      } operation: {
        started.increment()
      }
    }
    // The caller waits for the operation and its timer.
    await clock.waitForSleepers(1)
    call.cancel()
    mayBegin.signal()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(started.count == 0)
  }

  private static func call(
    on owner: isolated QueueIsolation, _ clock: VirtualClock, before: () -> Void,
    operation: @escaping @Sendable () -> Void
  ) async throws {
    before()
    try await withDeadline(.seconds(1), clock: clock) { operation() }
  }

  @Test("the error names the requested time, even if the clock keeps advancing")
  func requestedTime() async {
    let requested = Duration.milliseconds(1)
    await #expect(throws: DeadlineExceeded(duration: requested)) {
      try await withDeadline(requested) { try await Gate().waitUnlessCancelled() }
    }
    await #expect(throws: DeadlineExceeded(duration: requested)) {
      try await withAbandoningDeadline(requested) { try await Gate().waitUnlessCancelled() }
    }
  }

  @Test(
    "the text of the error says whether the operation has started",
    arguments: [(1, "did not end within 1.0 seconds"), (0, "did not start"), (-1, "did not start")])
  func texts(seconds: Int, text: String) {
    #expect(DeadlineExceeded(duration: .seconds(seconds)).description.contains(text))
  }

  @Test("operations can share one deadline, and the error names the time that was left when the call began")
  func sharedDeadline() async throws {
    let deadline = clock.now.advanced(by: .seconds(3))
    #expect(try await withDeadline(until: deadline, clock: clock) { 1 } == 1)
    clock.advance(by: .seconds(2))
    let call = Task { [clock] in
      try await withDeadline(until: deadline, clock: clock) { try await clock.sleep(for: .seconds(10)) }
    }
    await clock.waitForSleepers(2)
    clock.advance(to: deadline)
    await #expect(throws: DeadlineExceeded(duration: .seconds(1))) { try await call.value }
  }

  @Test("the operation runs on the caller's actor and may use values that are not Sendable")
  func isolation() async throws {
    #expect(try await Owner().countWithDeadline(on: clock) == 1)
  }

  @Test("if an operation ends at the deadline, the call returns its value or throws DeadlineExceeded")
  func sameMoment() async throws {
    for _ in 0..<2_000 {
      let call = Task { [clock] in
        try await withDeadline(.seconds(1), clock: clock) {
          try await clock.sleep(for: .seconds(1))
          return 42
        }
      }
      await clock.waitForSleepers(2)
      try Task.checkCancellation()
      clock.advance(by: .seconds(1))
      switch await call.result {
      case .success(let value): #expect(value == 42)
      case .failure(let error): #expect(error as? DeadlineExceeded == DeadlineExceeded(duration: .seconds(1)))
      }
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test("objects that the operation captured are freed when the call returns")
  func leaks() async throws {
    try await LeakTracker.check { tracker in
      let gate = tracker.track(Gate(isOpen: true))
      try await withDeadline(.seconds(1), clock: clock) { await gate.wait() }
      try await withAbandoningDeadline(.seconds(1), clock: clock) { await gate.wait() }
    }
  }
}

private actor Owner {
  private final class Tally { var count = 0 }

  private let tally = Tally()

  func countWithDeadline(on clock: any Clock<Duration>) async throws -> Int {
    let tally = tally
    return try await withDeadline(.seconds(1), clock: clock) {
      self.preconditionIsolated()
      tally.count += 1
      return self.tally.count
    }
  }
}

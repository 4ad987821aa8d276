import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("Completion handler to async", .timeLimit(.minutes(5)), .endsWaits)
struct CompletionHandlerTests {
  private let call = LegacyCall<Int>()

  private func startWaiting() async -> Task<Int, any Error> {
    let task = Task { [call] in try await withCompletionHandler { call.start($0) } }
    await call.started.wait()
    return task
  }

  @Test("the call returns the value that the handler receives")
  func value() async throws {
    let task = await startWaiting()
    call.answer(7)
    #expect(try await task.value == 7)
  }

  @Test("the call throws the error that the handler receives")
  func failure() async {
    let task = await startWaiting()
    call.answer(.failure(Refused()))
    await #expect(throws: Refused()) { try await task.value }
  }

  @Test("the handler may be called within `start`")
  func atOnce() async throws {
    let value = try await withCompletionHandler { completion in
      completion(.success(7))
      return .finished
    }
    #expect(value == 7)
    await #expect(throws: Refused()) {
      try await withCompletionHandler { (completion: LegacyCall<Int>.Completion) in
        completion(.failure(Refused()))
        return .finished
      }
    }
  }

  @Test("a second call of the handler is dropped, even if the task has not yet received the first result")
  func twice() async throws {
    let task = await startWaiting()
    call.answer(1)
    call.answer(2)
    #expect(try await task.value == 1)
    call.answer(.failure(Refused()))
    let value = try await withCompletionHandler { completion in
      completion(.success(3))
      completion(.success(4))
      return .finished
    }
    #expect(value == 3)
  }

  @Test("the token is kept while the call runs and is not cancelled after the result")
  func tokenIsKept() async throws {
    let task = await startWaiting()
    #expect(call.cancelCount == 0)
    call.answer(1)
    #expect(try await task.value == 1)
    #expect(call.cancelCount == 0)
  }

  @Test("a cancelled call throws at once, cancels its token once, and ignores a late result")
  func cancellation() async {
    let task = await startWaiting()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(call.cancelCount == 1)
    call.answer(1)
    #expect(call.cancelCount == 1)
  }

  @Test("a cancellation after the result, but before the task continues, has no effect")
  func cancellationAfterTheResult() async throws {
    actor Caller {
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }
      private nonisolated let isolation: QueueIsolation
      init(_ queue: DispatchQueue) { isolation = QueueIsolation(queue) }
      func run(_ call: LegacyCall<Int>) async throws -> Int {
        try await withCompletionHandler { call.start($0) }
      }
    }
    let queue = DispatchQueue(label: "caller")
    let caller = Caller(queue)
    let task = Task { [call] in try await caller.run(call) }
    await call.started.wait()
    // While this block occupies the caller's queue, the task cannot continue.
    await queue.run { [call] in
      call.answer(1)
      task.cancel()
    }
    #expect(try await task.value == 1)
    #expect(call.cancelCount == 0)
  }

  @Test("a cancelled task stops waiting, even if the legacy call cannot be cancelled")
  func cancellationWithoutToken() async {
    let started = Gate()
    let task = Task {
      try await withCompletionHandler { (_: @escaping LegacyCall<Int>.Completion) in
        started.open()
        return .finished
      }
    }
    await started.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a task that is already cancelled does not start the call")
  func cancelledBefore() async {
    let gate = Gate()
    let task = Task { [call] in
      await gate.wait()
      return try await withCompletionHandler { call.start($0) }
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(call.startCount == 0)
  }

  @Test("a task that is cancelled within `start` does not wait and cancels the token")
  func cancelledWithinTheStart() async {
    let task = Task { [call] in
      try await withCompletionHandler { completion in
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
        return call.start(completion)
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(call.cancelCount == 1)
  }

  @Test("`start` runs in the caller's isolation")
  func isolation() async throws {
    actor Caller {
      private(set) var log: [String] = []
      func run(_ queue: DispatchQueue) async throws -> Int {
        try await withCompletionHandler { completion in
          assertIsolated()
          log.append("start")
          queue.async { completion(.success(7)) }
          return .finished
        }
      }
    }
    let caller = Caller()
    #expect(try await caller.run(DispatchQueue(label: "legacy")) == 7)
    #expect(await caller.log == ["start"])
  }

  private enum Ending: CaseIterable {
    case value, failure, cancellation
  }

  @Test(
    "when a call is over, the legacy call and the captures of `start` are released",
    arguments: Ending.allCases)
  private func everythingIsReleased(ending: Ending) async throws {
    try await LeakTracker.check { tracker in
      let call = tracker.track(LegacyCall<Int>())
      let captured = tracker.track(DeliveryLog<Int>())
      let task = Task {
        try await withCompletionHandler { completion in
          captured.append(0)
          let token = call.start(completion)
          return CancellationToken { withExtendedLifetime((call, captured)) { token.cancel() } }
        }
      }
      await call.started.wait()
      switch ending {
      case .value: call.answer(1)
      case .failure: call.answer(.failure(Refused()))
      case .cancellation: task.cancel()
      }
      let result = await task.result
      #expect((try? result.get()) == (ending == .value ? 1 : nil))
      #expect(captured.values == [0])
    }
  }

  @Test(
    "if two results race with a cancellation, exactly one wins, and only the cancellation cancels the token")
  func race() async {
    for round in 0..<2_000 {
      let call = LegacyCall<Int>()
      let task = Task { try await withCompletionHandler { call.start($0) } }
      await call.started.wait()
      async let first: Void = answer(call, with: 1)
      async let second: Void = answer(call, with: 2)
      if round % 2 == 0 { task.cancel() }
      _ = await (first, second)
      switch await task.result {
      case .success(let value):
        #expect([1, 2].contains(value))
        #expect(call.cancelCount == 0)
      case .failure(let error):
        #expect(error is CancellationError)
        #expect(call.cancelCount == 1)
      }
    }
  }

  @concurrent private func answer(_ call: LegacyCall<Int>, with value: Int) async {
    call.answer(value)
  }

  @Test("a service that calls its handler under a lock, and cancels under the same lock, does not deadlock")
  func lockingService() async {
    for _ in 0..<2_000 {
      let (service, started) = (LockingService(), Gate())
      let task = Task {
        try await withCompletionHandler { completion in
          defer { started.open() }
          return service.start(completion)
        }
      }
      await started.wait()
      async let answered: Void = service.answer()
      task.cancel()
      await answered
      _ = await task.result
    }
  }

  @Test("withCallback returns the value of the callback, and a cancellation abandons the call")
  func callback() async throws {
    #expect(try await withCallback { $0(7) } == 7)
    let started = Gate()
    let task = Task { try await withCallback { (_: @escaping @Sendable (Int) -> Void) in started.open() } }
    await started.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

/// A legacy service with a common mistake: it calls its handler under a lock that its cancellation also
/// takes.
private final class LockingService: Sendable {
  private let completion = Mutex<LegacyCall<Int>.Completion?>(nil)

  func start(_ completion: @escaping LegacyCall<Int>.Completion) -> CancellationToken {
    self.completion.withLock { $0 = completion }
    return CancellationToken { self.completion.withLock { $0 = nil } }
  }

  @concurrent func answer() async {
    completion.withLock { $0?(.success(1)) }
  }
}

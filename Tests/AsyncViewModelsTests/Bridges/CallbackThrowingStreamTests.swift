import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

/// A legacy connection that calls its callbacks under a lock. Cancelling the connection takes the same lock.
private final class LockingConnection: Sendable {
  private struct Callbacks {
    let receive: @Sendable (Int) -> Void
    let complete: @Sendable (Result<Void, any Error>) -> Void
  }

  private let callbacks = Mutex<Callbacks?>(nil)
  let closed = Gate()

  var isOpen: Bool { callbacks.withLock { $0 != nil } }

  func open(
    onMessage receive: @escaping @Sendable (Int) -> Void,
    onClose complete: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    callbacks.withLock { $0 = Callbacks(receive: receive, complete: complete) }
    return CancellationToken { [weak self] in
      self?.releaseCallbacks()
      self?.closed.open()
    }
  }

  func send(_ value: Int) { callbacks.withLock { $0?.receive(value) } }

  func complete(_ result: Result<Void, any Error>) { callbacks.withLock { $0?.complete(result) } }

  func fail(_ reason: String = "refused") { complete(.failure(Refused(reason: reason))) }

  func holdingTheLock(_ body: () -> Void) { callbacks.withLock { _ in body() } }

  func releaseCallbacks() { callbacks.take() }
}

/// Runs each job at once, on the thread that enqueues the job.
private final class ImmediateExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

@Suite("Callbacks to throwing stream", .timeLimit(.minutes(5)), .endsWaits)
struct CallbackThrowingStreamTests {
  private let connection = LockingConnection()

  private func makeStream(_ buffering: BufferingPolicy = .unbounded) -> AsyncThrowingStream<Int, any Error> {
    AsyncThrowingStream(buffering: buffering) { [connection] in connection.open(onMessage: $0, onClose: $1) }
  }

  /// Reads a stream to its end.
  private func read(
    _ stream: AsyncThrowingStream<Int, any Error>
  ) async -> (values: [Int], error: Refused?) {
    var values: [Int] = []
    do {
      for try await value in stream { values.append(value) }
      return (values, nil)
    } catch {
      return (values, error as? Refused)
    }
  }

  @Test("the stream yields every value in order, even those sent during the registration, then the error")
  func valuesThenError() async {
    let stream = AsyncThrowingStream(buffering: .unbounded) { [connection] receive, complete in
      receive(0)
      return connection.open(onMessage: receive, onClose: complete)
    }
    for value in 1...100 { connection.send(value) }
    connection.fail()
    let (values, error) = await read(stream)
    #expect(values == Array(0...100))
    #expect(error == Refused())
    #expect(await read(stream) == ([], nil))
  }

  @Test(
    "the buffering policy decides which unread values the stream yields before the error",
    arguments: [(BufferingPolicy.latest, [5]), (.bounded(2), [4, 5]), (.unbounded, [1, 2, 3, 4, 5])])
  func buffering(_ buffering: BufferingPolicy, expected: [Int]) async {
    let stream = makeStream(buffering)
    for value in 1...5 { connection.send(value) }
    connection.fail()
    #expect(await read(stream) == (expected, Refused()))
  }

  @Test("the stream ignores every value and completion after the first completion")
  func firstCompletion() async {
    let failed = makeStream()
    connection.fail("first")
    connection.fail("second")
    connection.complete(.success(()))
    connection.send(1)
    #expect(await read(failed) == ([], Refused(reason: "first")))
    let succeeded = makeStream()
    connection.send(1)
    connection.complete(.success(()))
    connection.fail()
    #expect(await read(succeeded) == ([1], nil))
  }

  @Test("a waiting reader receives a value, and then the error")
  func waitingReader() async throws {
    let recorder = StateRecorder(makeStream())
    connection.send(1)
    try await recorder.waitForStates(1)
    connection.fail()
    await #expect(throws: Refused()) { try await recorder.waitForEnd() }
    await connection.closed.wait()
  }

  @Test("a completion during the registration ends the stream after its values")
  func completedAtOnce() async {
    let stream = AsyncThrowingStream<Int, any Error>(buffering: .latest) { receive, complete in
      receive(1)
      complete(.failure(Refused()))
      return .finished
    }
    #expect(await read(stream) == ([1], Refused()))
  }

  @Test("after the source releases both callbacks, the stream yields the unread values and ends")
  func sourceReleasesTheCallbacks() async {
    let stream = makeStream()
    connection.send(1)
    connection.releaseCallbacks()
    #expect(await read(stream) == ([1], nil))
    let never = AsyncThrowingStream<Int, any Error>(buffering: .latest) { _, _ in .finished }
    #expect(await read(never) == ([], nil))
  }

  @Test("a reader that continues within the completion receives the error")
  func readsWithinTheCompletion() async {
    let complete = Mutex<(@Sendable (Result<Void, any Error>) -> Void)?>(nil)
    let stream = AsyncThrowingStream<Int, any Error>(buffering: .unbounded) { _, completion in
      complete.withLock { $0 = completion }
      return .finished
    }
    // The reader runs until it waits. The completion then resumes the reader on this thread.
    let reader = Task(executorPreference: ImmediateExecutor()) { await read(stream).error }
    complete.withLock { $0 }?(.failure(Refused()))
    #expect(await reader.value == Refused())
  }

  @Test("if two threads complete a stream at the same time, the stream throws the error of the first call")
  func completedTwice() async {
    for _ in 0..<100_000 {
      let complete = Mutex<(@Sendable (Result<Void, any Error>) -> Void)?>(nil)
      let stream = AsyncThrowingStream<Int, any Error>(buffering: .unbounded) { _, completion in
        complete.withLock { $0 = completion }
        return .finished
      }
      let reader = Task { await read(stream).error }
      let completion = complete.withLock { $0 }
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { completion?(.failure(Refused())) } }
      }
      #expect(await reader.value == Refused())
    }
  }

  @Test("the end of the stream unregisters the callbacks at once")
  func unregisteredAtTheEnd() async {
    let failed = makeStream()
    connection.fail()
    _ = await read(failed)
    #expect(!connection.isOpen)
  }

  @Test(
    "leaving the loop, or dropping an unread stream, unregisters the callbacks", arguments: [true, false])
  func dropped(afterReading: Bool) async throws {
    do {
      let stream = makeStream()
      if afterReading { try await readOne(of: stream) }
    }
    await connection.closed.wait()
    #expect(!connection.isOpen)
  }

  private func readOne(of stream: AsyncThrowingStream<Int, any Error>) async throws {
    connection.send(1)
    for try await _ in stream { break }
  }

  @Test("a cancelled reader sees the end, and the callbacks are unregistered", arguments: [true, false])
  func cancellation(whileReading: Bool) async {
    let (stream, seen) = (makeStream(), Gate(isOpen: whileReading))
    let reader = Task {
      for try await _ in stream { await seen.wait() }
    }
    connection.send(1)
    await seen.waitForArrivals(1)
    reader.cancel()
    // A source may answer its cancellation with an error.
    connection.fail()
    seen.open()
    await #expect(throws: Never.self) { try await reader.value }
    await connection.closed.wait()
    #expect(!connection.isOpen)
    #expect(await read(stream) == ([], nil))
  }

  @Test("a task that was cancelled before it reads sees the end at once")
  func cancelledBefore() async {
    let (stream, gate) = (makeStream(), Gate())
    connection.send(1)
    let reader = Task { [self] in
      await gate.wait()
      return await read(stream).values
    }
    reader.cancel()
    // The reader ends even if it cannot take the lock of the connection. The block that holds the lock does
    // not run on the global queue, because tasks may need the thread that it occupies.
    await DispatchQueue(label: "holds the lock").run { [connection] in
      connection.holdingTheLock {
        gate.open()
        let ended = DispatchSemaphore(value: 0)
        Task {
          _ = await reader.value
          ended.signal()
        }
        ended.wait()
      }
    }
    #expect(await reader.value == [])
    await connection.closed.wait()
  }

  @Test("cancelling the reader under the source's lock does not deadlock")
  func cancelUnderTheSourcesLock() async throws {
    for round in 0..<200 {
      let (connection, seen) = (LockingConnection(), Gate())
      let stream = AsyncThrowingStream(buffering: .latest) { connection.open(onMessage: $0, onClose: $1) }
      let reader = Task {
        for try await _ in stream { seen.open() }
      }
      connection.send(round)
      await seen.wait()
      connection.holdingTheLock { reader.cancel() }
      try await reader.value
      await connection.closed.wait()
    }
  }

  @Test(
    "a stream does not keep its source alive, and a dropped stream keeps no value, error or callback",
    .enabled(if: LiveObjects.areCounted))
  func ownership() async throws {
    struct Failure: Error { let cause: Reentrant }
    try await LiveObjects.assertNothingLives {
      let stream = try await LeakTracker.check { tracker in
        let connection = tracker.track(LockingConnection())
        let stream = AsyncThrowingStream(buffering: .unbounded) {
          connection.open(onMessage: $0, onClose: $1)
        }
        connection.send(1)
        return stream
      }
      #expect(await read(stream) == ([1], nil))
      try await LeakTracker.check { tracker in
        let stream = AsyncThrowingStream<Reentrant, any Error>(buffering: .unbounded) { receive, complete in
          for number in 1...3 { receive(tracker.track(Reentrant(number))) }
          complete(.failure(Failure(cause: tracker.track(Reentrant(4)))))
          return .finished
        }
        for try await _ in stream { break }
      }
    }
  }

  @Test("if two tasks read the end at the same time, one receives the error and the other one sees the end")
  func twoReaders() async {
    for _ in 0..<1_000 {
      let (connection, failures) = (LockingConnection(), Tally())
      let stream = AsyncThrowingStream(buffering: .unbounded) {
        connection.open(onMessage: $0, onClose: $1)
      }
      let readers = (1...2).map { _ in
        Task {
          do { for try await _ in stream {} } catch { failures.increment() }
        }
      }
      connection.fail()
      for reader in readers { await reader.value }
      #expect(failures.count == 1)
    }
  }

  @Test("if a cancel, values and completions race, no thread deadlocks and no callback remains")
  func race() async throws {
    for round in 0..<1_000 {
      let connection = LockingConnection()
      let seen = DeliveryLog<Int>()
      let stream = AsyncThrowingStream(buffering: round % 2 == 0 ? .unbounded : .latest) {
        connection.open(onMessage: $0, onClose: $1)
      }
      let reader = Task {
        for try await value in stream { seen.append(value) }
      }
      if round % 3 == 0 { await Task.yield() }
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        switch thread {
        case 0:
          for value in 1...5 { connection.send(value) }
          connection.fail("first")
        case 1: if round % 4 == 0 { connection.complete(.success(())) }
        default: if round % 5 == 0 { reader.cancel() }
        }
      }
      let result = await reader.result
      await connection.closed.wait()
      #expect(!connection.isOpen)
      let values = seen.values
      #expect(values == values.sorted())
      if round % 4 > 0, round % 5 > 0 {
        #expect(throws: Refused(reason: "first")) { try result.get() }
        #expect(values.last == 5)
      }
    }
  }
}

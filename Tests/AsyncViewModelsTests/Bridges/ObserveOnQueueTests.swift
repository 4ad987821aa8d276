import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("Stream to callback", .timeLimit(.minutes(5)), .endsWaits)
struct ObserveOnQueueTests {
  private let queue = DispatchQueue(label: "observer")
  private let log = DeliveryLog<Int>()
  private let ended = Gate()

  @Test("the observer runs on the queue for each element in order, and then the completion runs once")
  func inOrder() async {
    let numbers = AsyncStream { continuation in
      for value in 1...100 { continuation.yield(value) }
      continuation.finish()
    }
    let token = numbers.observe(on: queue) { [queue, log] value in
      dispatchPrecondition(condition: .onQueue(queue))
      log.append(value)
    } completion: { [queue, log, ended] _ in
      dispatchPrecondition(condition: .onQueue(queue))
      log.append(-1)
      ended.open()
    }
    await ended.wait()
    token.cancel()
    await queue.drain()
    #expect(log.values == Array(1...100) + [-1])
  }

  @Test("if the sequence throws, the completion receives the error after the last element")
  func throwing() async {
    let failure = Mutex<Refused?>(nil)
    let failing = AsyncThrowingStream<Int, any Error> { continuation in
      continuation.yield(1)
      continuation.finish(throwing: Refused())
    }
    let token = failing.observe(on: queue) { [log] in
      log.append($0)
    } completion: { [ended] result in
      if case .failure(let error) = result { failure.withLock { $0 = error as? Refused } }
      ended.open()
    }
    await ended.wait()
    #expect(log.values == [1])
    #expect(failure.withLock { $0 } == Refused())
    token.cancel()
  }

  @Test("after a cancel on the queue, nothing more is called, not even the completion")
  func cancelOnTheQueue() async {
    let (stream, source) = AsyncStream.makeStream(of: Int.self)
    let token = Mutex<CancellationToken?>(nil)
    let started = stream.observe(on: queue) { [log, ended] value in
      log.append(value)
      if value == 2 {
        token.withLock { $0 }?.cancel()
        ended.open()
      }
    } completion: { [log] _ in
      log.append(-1)
    }
    token.withLock { $0 = started }
    for value in 1...10 { source.yield(value) }
    await ended.wait()
    source.finish()
    await queue.drain()
    #expect(log.values == [1, 2])
  }

  @Test(
    "after a cancel on the queue, no call begins for an element, an end or an error that was already read",
    arguments: SingleRead<Refused>.results)
  func cancelBeforeAWaitingCall(result: Result<Int?, Refused>) async throws {
    try await LeakTracker.check { [queue, log] tracker in
      let token = Holder<CancellationToken>()
      // The block of the cancel is in the queue before the block that the result causes.
      let source = SingleRead(result) { queue.async { token.value?.cancel() } }
      token.set(
        source.observe(on: queue) {
          log.append($0)
        } completion: { _ in
          log.append(-1)
        })
      // The reading task keeps the gate of its sequence until the task ends.
      tracker.track(source.gate).open()
    }
    await queue.drain()
    #expect(log.values == [])
  }

  @Test("an observation that its observer cancels leaves a stream that is kept elsewhere")
  func leavesAKeptStream() async throws {
    let channel = EventChannel<Int>()
    let stream = channel.stream()
    let token = Holder<CancellationToken>()
    token.set(stream.observe(on: queue) { _ in token.value?.cancel() })
    channel.send(1)
    try await until { channel.observerCount == 0 }
    withExtendedLifetime(stream) {}
  }

  @Test("dropping the token ends the observation, terminates the stream and releases the callbacks")
  func droppedToken() async throws {
    let left = Gate()
    try await LeakTracker.check { tracker in
      let captured = tracker.track(DeliveryLog<Int>())
      let stream = AsyncStream<Int> { $0.onTermination = { _ in left.open() } }
      _ = stream.observe(on: queue) { captured.append($0) }
      await left.wait()
    }
  }

  @Test("after the call of the completion, the callbacks are released, even if the token is kept")
  func releasedAfterTheEnd() async throws {
    let token = Holder<CancellationToken>()
    try await LeakTracker.check { [queue, ended] tracker in
      let captured = tracker.track(DeliveryLog<Int>())
      token.set(
        AsyncStream { $0.finish() }.observe(on: queue) {
          captured.append($0)
        } completion: { _ in
          captured.append(-1)
          ended.open()
        })
      await ended.wait()
    }
    #expect(token.value?.isCancelled == false)
  }

  @Test("without a completion, the observer is released after the end, even if the token is kept")
  func noCompletion() async throws {
    let token = Holder<CancellationToken>()
    try await LeakTracker.check { [queue] tracker in
      let captured = tracker.track(DeliveryLog<Int>())
      token.set(AsyncStream { $0.finish() }.observe(on: queue) { captured.append($0) })
    }
    #expect(token.value?.isCancelled == false)
  }

  @Test("the next element is requested only after the previous call of the observer has returned")
  func backPressure() async {
    struct Numbers: AsyncSequence, AsyncIteratorProtocol {
      let requested: Gate
      var count = 0
      func makeAsyncIterator() -> Self { self }
      mutating func next(isolation: isolated (any Actor)?) async -> Int? {
        await requested.wait()
        count += 1
        return count <= 2 ? count : nil
      }
    }
    let (requested, called, mayReturn) = (Gate(isOpen: true), Gate(isOpen: true), DispatchSemaphore(value: 0))
    queue.suspend()
    let token = Numbers(requested: requested).observe(on: queue) { [log] value in
      log.append(value)
      Task { await called.wait() }
      mayReturn.wait()
    } completion: { [ended] _ in
      ended.open()
    }
    await requested.waitForArrivals(1)
    await letOthersRun()
    #expect(requested.arrivalCount == 1, "no second element is requested before the first call begins")
    queue.resume()
    for call in 1...2 {
      await called.waitForArrivals(call)
      await letOthersRun()
      #expect(requested.arrivalCount == call, "the next element is requested only after this call returns")
      mayReturn.signal()
    }
    await ended.wait()
    #expect(log.values == [1, 2])
    token.cancel()
  }

  /// Gives the reading task time to request an element.
  private func letOthersRun() async {
    for _ in 0..<200 {
      await Task.yield()
      await Task.detached {}.value
    }
  }

  @Test("after a cancel, no more elements are read, even if the sequence ignores cancellation")
  func ignoringCancellation() async throws {
    struct Endless: AsyncSequence, AsyncIteratorProtocol {
      let marker: Gate
      mutating func next() async -> Int? { 1 }
      func makeAsyncIterator() -> Endless { self }
    }
    try await LeakTracker.check { tracker in
      let token = Endless(marker: tracker.track(Gate())).observe(on: queue) { [log] in log.append($0) }
      while log.values.isEmpty { await Task.yield() }
      token.cancel()
    }
  }

  @Test("while the queue is busy, a state stream conflates, and the observer continues with the latest value")
  func conflation() async {
    let state = StateStore(0)
    queue.suspend()
    let token = state.states().observe(on: queue) { [log, ended] value in
      log.append(value)
      if value == 100 { ended.open() }
    }
    for value in 1...100 { state.send(value) }
    queue.resume()
    await ended.wait()
    #expect(log.values.last == 100)
    #expect(log.values.count <= 2)
    token.cancel()
  }

  @Test("after a cancel outside the queue, at most one more call of the observer begins")
  func race() async {
    for _ in 0..<1_000 {
      let (stream, source) = AsyncStream.makeStream(of: Int.self)
      let isCancelled = Atomic(false)
      let late = Atomic(0)
      let token = stream.observe(on: queue) { _ in
        if isCancelled.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
      }
      async let sent: Void = send(10, to: source)
      token.cancel()
      isCancelled.store(true, ordering: .releasing)
      await sent
      await queue.drain()
      #expect(late.load(ordering: .relaxed) <= 1)
    }
  }

  @concurrent private func send(_ count: Int, to source: AsyncStream<Int>.Continuation) async {
    for value in 0..<count { source.yield(value) }
    source.finish()
  }
}

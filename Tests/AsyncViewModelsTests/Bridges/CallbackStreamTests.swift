import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

/// A legacy source that calls its observers under a lock. Removing an observer takes the same lock.
private final class LockingSource: Sendable {
  private struct State {
    var observers: [Int: @Sendable (Int) -> Void] = [:]
    var lastID = 0
  }

  private let state = Mutex(State())
  let removed = Gate()

  var observerCount: Int { state.withLock { $0.observers.count } }

  func observe(_ observer: @escaping @Sendable (Int) -> Void) -> CancellationToken {
    let id = state.withLock { state in
      state.lastID += 1
      state.observers[state.lastID] = observer
      return state.lastID
    }
    return CancellationToken { [weak self] in
      guard let self else { return }
      state.take { $0.observers.removeValue(forKey: id) }
      removed.open()
    }
  }

  func send(_ value: Int) {
    state.withLock { state in
      for observer in state.observers.values { observer(value) }
    }
  }

  func holdingTheLock(_ body: () -> Void) {
    state.withLock { _ in body() }
  }

  func forgetObservers() {
    state.withLock { $0.observers.removeAll() }
  }
}

@Suite("Callback to stream", .timeLimit(.minutes(5)), .endsWaits)
struct CallbackStreamTests {
  private let source = LockingSource()

  private func makeStream(_ buffering: BufferingPolicy = .unbounded) -> AsyncStream<Int> {
    AsyncStream(buffering: buffering) { [source] in source.observe($0) }
  }

  @Test("the stream yields every value in order, even those sent during the registration")
  func everyValue() async {
    let stream = AsyncStream(buffering: .unbounded) { [source] observer in
      observer(0)
      return source.observe(observer)
    }
    for value in 1...100 { source.send(value) }
    source.forgetObservers()
    #expect(await stream.reduce(into: []) { $0.append($1) } == Array(0...100))
  }

  @Test(
    "the buffering policy decides which unread values the stream keeps",
    arguments: [(BufferingPolicy.latest, [5]), (.bounded(2), [4, 5]), (.unbounded, [1, 2, 3, 4, 5])])
  func buffering(_ buffering: BufferingPolicy, expected: [Int]) async {
    let stream = makeStream(buffering)
    for value in 1...5 { source.send(value) }
    source.forgetObservers()
    #expect(await stream.reduce(into: []) { $0.append($1) } == expected)
  }

  @Test("a waiting reader receives a value when it is sent")
  func waitingReader() async {
    var iterator = makeStream().makeAsyncIterator()
    async let sent: Void = send(1)
    #expect(await iterator.next() == 1)
    await sent
  }

  @concurrent private func send(_ value: Int) async { source.send(value) }

  @Test("cancelling the reader ends the stream and unregisters the callback")
  func cancellation() async {
    let (stream, seen) = (makeStream(), Gate())
    let reader = Task {
      for await _ in stream { seen.open() }
    }
    source.send(1)
    await seen.wait()
    #expect(source.observerCount == 1)
    reader.cancel()
    await reader.value
    await source.removed.wait()
    #expect(source.observerCount == 0)
    source.send(2)
  }

  @Test("dropping the stream unregisters the callback at once")
  func drop() {
    do { _ = makeStream() }
    #expect(source.observerCount == 0)
  }

  @Test("leaving the loop unregisters the callback")
  func leavingTheLoop() async {
    await readOne(of: makeStream())
    #expect(source.observerCount == 0)
  }

  private func readOne(of stream: AsyncStream<Int>) async {
    source.send(1)
    for await _ in stream { break }
  }

  @Test("after the source releases the callback, the stream yields the unread values and ends")
  func sourceReleasesTheCallback() async {
    let stream = makeStream()
    source.send(1)
    source.forgetObservers()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [1])
    // The registration ends when the stream ends, not only when the stream is released.
    await source.removed.wait()
    withExtendedLifetime(stream) {}
    let never = AsyncStream<Int>(buffering: .latest) { _ in .finished }
    #expect(await never.first { _ in true } == nil)
  }

  @Test("a waiting reader ends when the source releases the callback")
  func sourceEndsWhileReading() async {
    let (stream, seen) = (makeStream(), Gate())
    let reader = Task {
      for await _ in stream { seen.open() }
    }
    source.send(1)
    await seen.wait()
    source.forgetObservers()
    await reader.value
  }

  @Test("the stream of a CallbackState ends when a newer stream replaces it or the state is deallocated")
  func callbackState() async {
    let queue = DispatchQueue(label: "observer")
    var state: CallbackState<Int>? = CallbackState(1)
    weak let released = state
    let first = AsyncStream(buffering: .unbounded) { [queue] observer in
      state?.bind(on: queue, observer) ?? .finished
    }
    await queue.drain()
    let second = AsyncStream(buffering: .unbounded) { [queue] observer in
      state?.bind(on: queue, observer) ?? .finished
    }
    state?.send(2)
    state = nil
    #expect(released == nil)
    #expect(await first.reduce(into: []) { $0.append($1) } == [1])
    #expect(await second.reduce(into: []) { $0.append($1) } == [1, 2])
  }

  @Test("cancelling the reader under the source's lock does not deadlock")
  func cancelUnderTheSourcesLock() async {
    for round in 0..<200 {
      let (source, seen) = (LockingSource(), Gate())
      let stream = AsyncStream(buffering: .latest, observing: { source.observe($0) })
      let reader = Task {
        for await _ in stream { seen.open() }
      }
      source.send(round)
      await seen.wait()
      source.holdingTheLock { reader.cancel() }
      await reader.value
      await source.removed.wait()
    }
  }

  @Test("if the reader is cancelled before it reads, the token is cancelled, but not by the reading task")
  func cancelledBeforeTheRead() async throws {
    let cancellations = DeliveryLog<Bool>()
    let stream = AsyncStream<Int>(buffering: .unbounded) { _ in
      CancellationToken { cancellations.append(Self.isReading) }
    }
    let reader = Task {
      await Self.$isReading.withValue(true) {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        for await _ in stream {}
      }
    }
    await reader.value
    try await until { !cancellations.values.isEmpty }
    #expect(cancellations.values == [false])
  }

  /// Whether the current code runs in the task that reads the stream.
  @TaskLocal private static var isReading = false

  @Test("if a cancel races with sends under the source's lock, no thread deadlocks and no callback remains")
  func race() async {
    for _ in 0..<1_000 {
      let source = LockingSource()
      let reader = Task {
        for await _ in AsyncStream(buffering: .latest, observing: { source.observe($0) }) {}
      }
      async let sent: Void = send(20, to: source)
      reader.cancel()
      await sent
      await reader.value
      if source.observerCount > 0 { await source.removed.wait() }
      #expect(source.observerCount == 0)
    }
  }

  @concurrent private func send(_ count: Int, to source: LockingSource) async {
    for value in 0..<count { source.send(value) }
  }
}

import AsyncViewModelsSimulation
import Synchronization

extension BugPattern {
  static let onStreams = [
    twoConsumers, firstValueLost, gapAfterRead, retainedByLoop, lastElementDropped, valuesNotBuffered,
  ]

  private static let twoConsumers = BugPattern(
    "streams/two-consumers", "two loops over one stream share its elements, and each of them misses some",
    Thread(
      "Multi-consumption of an `AsyncSequence`", "https://github.com/apple/swift-async-algorithms/issues/110")
  ) { world in
    let (stream, source) = AsyncStream<Int>.makeStream()
    await consume(in: world, [stream, stream], from: [source])
  } repaired: { world in
    let (first, second) = (AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream())
    await consume(
      in: world, [first.stream, second.stream], from: [first.continuation, second.continuation])
  }

  private static func consume(
    in world: SimulatedWorld, _ streams: [AsyncStream<Int>], from sources: [AsyncStream<Int>.Continuation]
  ) async {
    let consumers = streams.enumerated().map { number, stream in
      world.spawn("consumer \(number + 1)") {
        var received: [Int] = []
        for await value in stream { received.append(value) }
        world.expectEqual(received, [1, 2], "received:")
      }
    }
    for value in 1...2 {
      for source in sources { source.yield(value) }
      await Task.yield()
    }
    for source in sources { source.finish() }
    for consumer in consumers { await consumer.waitForEnd() }
  }

  private static let firstValueLost = BugPattern(
    "streams/first-value-lost", "a stream subscribes in a task, so values that are sent at once are lost",
    Thread(
      "Lock introduced in eraseToStream can lead to missing sequence elements",
      "https://github.com/pointfreeco/swift-concurrency-extras/issues/19")
  ) { world in
    let subject = Subject()
    let stream = AsyncStream<Int> { continuation in Task { subject.subscribe(continuation) } }
    subject.send(1)
    await Task.yield()
    await expectFirst(1, of: stream, subject, in: world)
  } repaired: { world in
    let subject = Subject()
    let stream = AsyncStream<Int> { subject.subscribe($0) }
    subject.send(1)
    await Task.yield()
    await expectFirst(1, of: stream, subject, in: world)
  }

  private static func expectFirst(
    _ expected: Int, of stream: AsyncStream<Int>, _ subject: Subject, in world: SimulatedWorld
  ) async {
    await world.settle()
    subject.send(2)
    var values = stream.makeAsyncIterator()
    world.expectEqual(await values.next(), expected, "the first value:")
  }

  /// Sends values to all subscribers. The latest value is also readable.
  private final class Subject: Sendable {
    private let state = Mutex<(value: Int, subscribers: [AsyncStream<Int>.Continuation])>((0, []))

    var value: Int { state.withLock(\.value) }

    func subscribe(_ subscriber: AsyncStream<Int>.Continuation) {
      state.withLock { $0.subscribers.append(subscriber) }
    }

    func subscribeWithValue(_ subscriber: AsyncStream<Int>.Continuation) {
      state.withLock { state in
        subscriber.yield(state.value)
        state.subscribers.append(subscriber)
      }
    }

    func send(_ value: Int) {
      let subscribers = state.withLock { state in
        state.value = value
        return state.subscribers
      }
      for subscriber in subscribers { subscriber.yield(value) }
    }

    func finish() { for subscriber in state.withLock(\.subscribers) { subscriber.finish() } }
  }

  private static let gapAfterRead = BugPattern(
    "streams/gap-after-read", "a change between the read of the current value and the subscription is missed",
    Thread(
      "Avoid double notification of the initial value for ValueObservation on DatabasePool",
      "https://github.com/groue/GRDB.swift/pull/1248")
  ) { world in
    let subject = Subject()
    await observe(subject, in: world) { continuation in
      continuation.yield(subject.value)
      await Task.yield()
      subject.subscribe(continuation)
    }
  } repaired: { world in
    let subject = Subject()
    await observe(subject, in: world) { continuation in
      await Task.yield()
      subject.subscribeWithValue(continuation)
    }
  }

  private static func observe(
    _ subject: Subject, in world: SimulatedWorld,
    subscribe: @escaping @Sendable (AsyncStream<Int>.Continuation) async -> Void
  ) async {
    let last = Mutex(0)
    let observer = world.spawn("observer") {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      await subscribe(continuation)
      for await value in stream { last.withLock { $0 = value } }
    }
    let writer = world.spawn("writer") { subject.send(1) }
    await writer.waitForEnd()
    await world.settle()
    subject.finish()
    await observer.waitForEnd()
    world.expectEqual(last.withLock(\.self), 1, "the last value:")
  }

  private static let retainedByLoop = BugPattern(
    "streams/retained-by-loop", "a loop over an endless stream keeps its owner alive",
    Thread(
      "RxSwift SwiftConcurrecy StronSelf ISSUE", "https://github.com/ReactiveX/RxSwift/issues/2658")
  ) { world in
    let (stream, source) = AsyncStream<Int>.makeStream()
    var screen: Screen? = Screen()
    weak let released = screen
    let loop = Task { [screen] in for await title in stream { screen?.show(title) } }
    source.yield(1)
    await Task.yield()
    screen = nil
    await world.settle()
    world.expect(released == nil, "the screen is alive")
    source.finish()
    await loop.value
  } repaired: { world in
    let (stream, source) = AsyncStream<Int>.makeStream()
    var screen: Screen? = Screen()
    weak let released = screen
    let loop = Task { [weak screen] in for await title in stream { screen?.show(title) } }
    source.yield(1)
    await Task.yield()
    screen = nil
    await world.settle()
    world.expect(released == nil, "the screen is alive")
    source.finish()
    await loop.value
  }

  private final class Screen: Sendable {
    private let title = Mutex(0)

    func show(_ title: Int) { self.title.withLock { $0 = title } }
  }

  private static let lastElementDropped = BugPattern(
    "streams/last-element-dropped",
    "a throttle drops the last element of a burst, so the screen shows an old value",
    Thread(
      "`throttle` does not emit the latest element upon interval occurrence and latest is `true`",
      "https://github.com/apple/swift-async-algorithms/issues/266")
  ) { world in
    try await throttle(in: world, sendsLast: false)
  } repaired: { world in
    try await throttle(in: world, sendsLast: true)
  }

  private static func throttle(in world: SimulatedWorld, sendsLast: Bool) async throws {
    let shown = Mutex<[Int]>([])
    var lastSent = world.clock.now.advanced(by: .seconds(-1))
    var pending: SimulatedTask?
    for value in 1...3 {
      try await world.faults.latency()
      pending?.cancel()
      if lastSent.duration(to: world.clock.now) >= .seconds(1) {
        lastSent = world.clock.now
        shown.withLock { $0.append(value) }
      } else if sendsLast {
        pending = world.spawn("send \(value)") {
          try await world.clock.sleep(for: .seconds(1))
          // A newer value may have come since the clock woke this task.
          try Task.checkCancellation()
          shown.withLock { $0.append(value) }
        }
      }
    }
    await world.settle()
    world.expectEqual(shown.withLock(\.last), 3, "the last value:")
  }

  private static let valuesNotBuffered = BugPattern(
    "streams/values-not-buffered",
    "a stream without a buffer drops the values that come while its reader is busy",
    Thread(
      "Inconsistent buffering behaviour of unbuffered `shared()`",
      "https://github.com/apple/swift-async-algorithms/issues/383")
  ) { world in
    await read(in: world, AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(0)))
  } repaired: { world in
    await read(in: world, AsyncStream<Int>.makeStream(bufferingPolicy: .unbounded))
  }

  private static func read(
    in world: SimulatedWorld, _ pair: (stream: AsyncStream<Int>, continuation: AsyncStream<Int>.Continuation)
  ) async {
    let reader = world.spawn("reader") {
      var received: [Int] = []
      for await value in pair.stream { received.append(value) }
      world.expectEqual(received, [1, 2, 3], "received:")
    }
    for value in 1...3 {
      pair.continuation.yield(value)
      await Task.yield()
    }
    pair.continuation.finish()
    await reader.waitForEnd()
  }
}

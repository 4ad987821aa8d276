import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("Leaving a debounced or throttled sequence", .timeLimit(.minutes(5)), .endsWaits)
struct TimedSequenceLifetimeTests {
  private final class Element: Sendable {}

  private let clock = VirtualClock()

  @Test("a cancelled consumer sees the end at once; the pending element is dropped, source and timer stop")
  func cancelling() async throws {
    let source = ManualSource<Int>()
    let consumer = Task { [clock] in
      var seen: [Int] = []
      for try await element in source.debounced(for: .seconds(1), clock: clock) { seen.append(element) }
      return seen
    }
    await source.waitForReader()
    await source.send(1)
    await clock.waitForSleepers(1)
    consumer.cancel()
    #expect(try await consumer.value == [])
    #expect(clock.sleeperCount == 0)
    try await source.termination.waitUnlessCancelled()
  }

  @Test("a consumer that is cancelled while it is busy sees the end, not the element that became due")
  func cancelledWhileBusy() async throws {
    let source = ManualSource<Int>()
    let busy = Gate()
    let consumer = Task { [clock] in
      var seen: [Int] = []
      for try await element in source.throttled(for: .seconds(1), clock: clock) {
        seen.append(element)
        await busy.wait()
      }
      return seen
    }
    await source.waitForReader()
    await source.send(1)
    await busy.waitForArrivals(1)
    clock.advance(by: .seconds(1))
    await source.send(2)
    consumer.cancel()
    busy.open()
    #expect(try await consumer.value == [1])
  }

  @Test("a task that was cancelled before it iterates sees the end at once")
  func cancelledBefore() async throws {
    let source = ManualSource<Int>()
    let gate = Gate()
    let consumer = Task { [clock] in
      await gate.wait()
      for try await _ in source.debounced(for: .seconds(1), clock: clock) {
        Issue.record("an element arrived")
      }
    }
    consumer.cancel()
    gate.open()
    try await consumer.value
  }

  @Test(
    "a consumer that is cancelled before its first read takes nothing from the source",
    arguments: [true, false])
  func cancelledBeforeItsFirstRead(isThrottled: Bool) async {
    struct Source: AsyncSequence, AsyncIteratorProtocol {
      let reads: Tally
      mutating func next() async -> Int? {
        reads.increment()
        return nil
      }
      func makeAsyncIterator() -> Source { self }
    }
    let source = Source(reads: Tally())
    let consumer = Task { [clock] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      if isThrottled {
        for try await _ in source.throttled(for: .seconds(1), clock: clock) {}
      } else {
        for try await _ in source.debounced(for: .seconds(1), clock: clock) {}
      }
    }
    _ = await consumer.result
    // A task that had been started would have read by now.
    for _ in 0..<100 { await Task.detached {}.value }
    #expect(source.reads.count == 0)
  }

  @Test("a consumer that is cancelled before its first read leaves a stream that is kept elsewhere")
  func cancelledBeforeWithAKeptStream() async throws {
    let channel = EventChannel<Int>()
    let stream = channel.stream()
    let consumer = Task { [clock] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      for await _ in stream.filter({ $0 > 0 }).debounced(for: .seconds(1), clock: clock) {}
    }
    await consumer.value
    #expect(channel.observerCount == 0)
    withExtendedLifetime(stream) {}
  }

  @Test("breaking out of the loop frees the source, the timer and the elements")
  func breaking() async throws {
    try await LeakTracker.check { tracker in
      let source = ManualSource<Element>()
      let consumer = Task { [clock] in
        for try await _ in source.throttled(for: .seconds(1), clock: clock) { break }
      }
      await source.waitForReader()
      await source.send(tracker.track(Element(), "emitted"))
      try await consumer.value
      try await source.termination.waitUnlessCancelled()
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test("dropping the iterator frees the pending element and stops the timer")
  func dropping() async throws {
    try await LeakTracker.check { tracker in
      let source = ManualSource<Element>()
      var iterator = Optional(source.throttled(for: .seconds(1), clock: clock).makeAsyncIterator())
      async let sent: Void = source.send(tracker.track(Element(), "emitted"))
      _ = try await iterator?.next()
      await sent
      await source.send(tracker.track(Element(), "pending"))
      await clock.waitForSleepers(1)
      iterator = nil
      #expect(clock.sleeperCount == 0)
      try await source.termination.waitUnlessCancelled()
    }
  }

  @Test("an iterator reads nothing before its first next()")
  func unusedIterator() async throws {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    do { _ = stream.debounced(for: .seconds(1), clock: clock).makeAsyncIterator() }
    input.yield(1)
    input.finish()
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 1)
  }

  @Test("an element whose deinit cancels the consumer does not deadlock")
  func reentrantDeinit() async throws {
    final class Trigger: Sendable {
      let action: @Sendable () -> Void
      init(_ action: @escaping @Sendable () -> Void) { self.action = action }
      deinit { action() }
    }
    let source = ManualSource<Trigger>()
    let consumer = Task { [clock] in
      for try await _ in source.debounced(for: .seconds(1), clock: clock) {}
    }
    await source.waitForReader()
    await source.send(Trigger { consumer.cancel() })
    await source.send(Trigger {})
    try await consumer.value
    try await source.termination.waitUnlessCancelled()
  }

  @Test("the elements of each producer stay in order, and no sleeper is left after an end or a cancellation")
  func producersAgainstCancellation() async {
    for round in 0..<3_000 {
      let (stream, input) = AsyncStream.makeStream(of: (producer: Int, count: Int).self)
      let consumer = Task { [clock] in
        var latest = [0, 0, 0]
        for await (producer, count) in stream.throttled(for: .nanoseconds(2), clock: clock) {
          #expect(latest[producer] < count)
          latest[producer] = count
        }
      }
      await withTaskGroup { group in
        for producer in 0..<3 {
          group.addTask { for count in 1...5 { input.yield((producer, count)) } }
        }
        group.addTask { [clock] in for _ in 1...5 { clock.advance(by: .nanoseconds(1)) } }
        group.addTask { if round.isMultiple(of: 3) { input.finish() } else { consumer.cancel() } }
      }
      await consumer.value
      #expect(clock.sleeperCount == 0)
    }
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Foundation
import Testing
import ToolkitTestSupport

@Suite("RetryingSequence", .timeLimit(.minutes(5)), .endsWaits)
struct RetryingSequenceTests {
  private let clock = VirtualClock()
  private let connections = Connections()

  private func retrying(_ policy: RetryPolicy) -> RetryingSequence<Connections.Messages> {
    RetryingSequence(policy, clock: clock) { [connections] in await connections.connect() }
  }

  @Test("after an error and a wait, the sequence makes a new attempt and yields the attempt's elements")
  func retry() async throws {
    let recorder = StateRecorder(retrying(.exponential(from: .seconds(1), upTo: .seconds(30))))
    await connections.fail(1)
    await clock.waitForSleepers(1)
    #expect(clock.nextDeadline == VirtualClock.Instant(offset: .seconds(1)))
    #expect(connections.count == 1)
    clock.advance(by: .seconds(1))
    await connections.fail(2)
    await clock.waitForSleepers(1)
    #expect(clock.nextDeadline == VirtualClock.Instant(offset: .seconds(3)))
    clock.advance(by: .seconds(2))
    let third = await connections.opened(3)
    for message in 1...3 { third.yield(message) }
    third.finish()
    #expect(try await recorder.waitForEnd() == [1, 2, 3])
    #expect((connections.count, clock.sleeperCount) == (3, 0))
  }

  @Test("if the last retry fails, the sequence throws the error and ends")
  func limit() async throws {
    let sequence = retrying(.constant(.seconds(1), limit: 2))
    let reader = Task {
      var iterator = sequence.makeAsyncIterator()
      await #expect(throws: Refused(reason: "third")) { try await iterator.next() }
      return try await iterator.next()
    }
    for number in 1...2 {
      await connections.fail(number)
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(1))
    }
    await connections.fail(3, Refused(reason: "third"))
    #expect(try await reader.value == nil)
    #expect(connections.count == 3)
  }

  @Test("a sequence without retries throws the first error")
  func none() async {
    let recorder = StateRecorder(retrying(.never))
    await connections.opened(1).yield(1)
    await connections.fail(1)
    await #expect(throws: Refused()) { try await recorder.waitForEnd() }
    #expect(recorder.states == [1])
  }

  @Test("an attempt that has yielded an element and was stable resets the number of retries and the wait")
  func reset() async throws {
    let recorder = StateRecorder(
      retrying(.exponential(from: .seconds(1), upTo: .seconds(8), limit: 2, stableTime: .seconds(5))))
    for number in 1...6 {
      let connection = await connections.opened(number)
      if number % 2 == 0 {
        connection.yield(number)
        try await recorder.first { $0 == number }
      }
      // An attempt without an element is not stable, however long it takes.
      clock.advance(by: .seconds(5))
      connection.finish(throwing: Refused())
      await clock.waitForSleepers(1)
      let now = clock.now
      let wait: Duration = .seconds(number == 1 || number % 2 == 0 ? 1 : 2)
      #expect(clock.nextDeadline == now.advanced(by: wait))
      clock.advance(by: wait)
    }
    await connections.opened(7).finish()
    #expect(try await recorder.waitForEnd() == [2, 4, 6])
  }

  @Test("a connection that greets and dies waits longer and longer, and then fails")
  func greetings() async throws {
    let recorder = StateRecorder(retrying(.exponential(from: .seconds(1), upTo: .seconds(60), limit: 5)))
    for number in 1...5 {
      let connection = await connections.opened(number)
      connection.yield(number)
      connection.finish(throwing: Refused())
      await clock.waitForSleepers(1)
      let wait: Duration = .seconds(1 << (number - 1))
      #expect(clock.nextDeadline == clock.now.advanced(by: wait))
      clock.advance(by: wait)
    }
    await connections.opened(6).yield(6)
    await connections.fail(6, Refused(reason: "last"))
    await #expect(throws: Refused(reason: "last")) { try await recorder.waitForEnd() }
    #expect(recorder.states == [1, 2, 3, 4, 5, 6])
  }

  @Test("an attempt that fails before the stable time counts, and with a stable time of zero, it does not")
  func stableTime() async throws {
    for (stableTime, second) in [(Duration.seconds(5), 2), (.zero, 1)] {
      let (clock, connections) = (VirtualClock(), Connections())
      let recorder = StateRecorder(
        RetryingSequence(
          .exponential(from: .seconds(1), upTo: .seconds(8), stableTime: stableTime), clock: clock
        ) { await connections.connect() })
      for number in 1...2 {
        let connection = await connections.opened(number)
        connection.yield(number)
        try await recorder.first { $0 == number }
        clock.advance(by: .seconds(4))
        connection.finish(throwing: Refused())
        await clock.waitForSleepers(1)
        let wait: Duration = .seconds(number == 1 ? 1 : second)
        #expect(clock.nextDeadline == clock.now.advanced(by: wait))
        clock.advance(by: wait)
      }
      await connections.opened(3).finish()
      #expect(try await recorder.waitForEnd() == [1, 2])
    }
  }

  @Test("with an error for the end, an attempt that ends is retried, and the last one throws this error")
  func endError() async throws {
    let sequence = RetryingSequence(
      .constant(.seconds(1), limit: 1), clock: clock, endError: Refused(reason: "closed")
    ) { [connections] in await connections.connect() }
    let recorder = StateRecorder(sequence)
    let first = await connections.opened(1)
    first.yield(1)
    first.finish()
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    await connections.opened(2).finish()
    await #expect(throws: Refused(reason: "closed")) { try await recorder.waitForEnd() }
    #expect(recorder.states == [1])
  }

  @Test("a cancelled reader ends without the error for the end")
  func endErrorOfACancelledTask() async throws {
    let sequence = RetryingSequence(.constant(.seconds(1)), clock: clock, endError: Refused()) {
      [connections] in
      await connections.connect()
    }
    let reader = Task { try await sequence.reduce(into: []) { $0.append($1) } }
    _ = await connections.opened(1)
    reader.cancel()
    #expect(try await reader.value == [])
    #expect(clock.sleeperCount == 0)
  }

  @Test("if the closure that makes the sequence of an attempt throws, the attempt has failed and is retried")
  func failingConnect() async {
    let attempts = Tally()
    let sequence = RetryingSequence<Connections.Messages>(.constant(.zero, limit: 3), clock: clock) {
      attempts.increment()
      throw Refused(reason: "\(attempts.count)")
    }
    await #expect(throws: Refused(reason: "4")) { try await sequence.first { _ in true } }
    #expect(clock.sleeperCount == 0)
  }

  @Test("cancelling during a wait ends the sequence at once, without an error")
  func cancelDuringWait() async throws {
    let recorded = Task { [self] in
      try await retrying(.constant(.seconds(1))).reduce(into: []) { $0.append($1) }
    }
    await connections.fail(1)
    await clock.waitForSleepers(1)
    recorded.cancel()
    #expect(try await recorded.value == [])
    #expect((connections.count, clock.sleeperCount) == (1, 0))
  }

  @Test("a cancelled reader leaves the stream of its attempt, also if the stream is kept elsewhere")
  func leavesTheAttempt() async throws {
    let channel = EventChannel<Int>()
    let stream = channel.stream()
    let gate = Gate()
    let reader = Task {
      for try await _ in RetryingSequence(.never, { stream }) { await gate.wait() }
    }
    channel.send(1)
    await gate.waitForArrivals(1)
    reader.cancel()
    gate.open()
    try await reader.value
    #expect(channel.observerCount == 0)
    withExtendedLifetime(stream) {}
  }

  @Test(
    "if an attempt fails after its task was cancelled, the sequence ends without a retry or an error",
    arguments: [RetryPolicy.never, .constant(.zero)])
  func errorOfACancelledTask(policy: RetryPolicy) async throws {
    let gate = Gate()
    let reader = Task {
      let sequence = RetryingSequence<Connections.Messages>(policy, clock: clock) {
        await gate.wait()
        throw Refused()
      }
      return try await sequence.first { _ in true }
    }
    await gate.waitForArrivals(1)
    reader.cancel()
    gate.open()
    #expect(try await reader.value == nil)
    #expect(gate.arrivalCount == 1)
  }

  @Test("a cancelled task begins no attempt")
  func cancelledBefore() async throws {
    let gate = Gate()
    let reader = Task { [self] in
      await gate.wait()
      return try await retrying(.constant(.zero)).first { _ in true }
    }
    reader.cancel()
    gate.open()
    #expect(try await reader.value == nil)
    #expect(connections.count == 0)
  }

  @Test("if an attempt throws a cancellation error, the sequence throws this error and does not retry")
  func reportedCancellation() async {
    let recorder = StateRecorder(retrying(.constant(.zero)))
    await connections.fail(1, URLError(.cancelled))
    await #expect(throws: URLError.self) { try await recorder.waitForEnd() }
    #expect(connections.count == 1)
  }

  @Test("each iterator has its own attempts and its own copy of the generator")
  func iterators() async throws {
    let sequence = RetryingSequence(
      .constant(.seconds(100), jitter: 1), clock: clock, generator: SplitMix64(seed: 7)
    ) { [connections] in await connections.connect() }
    var generator = SplitMix64(seed: 7)
    let wait = try #require(
      RetryPolicy.constant(.seconds(100), jitter: 1).delay(beforeRetry: 1, using: &generator))
    let readers = (0..<2).map { _ in Task { try await sequence.first { _ in true } } }
    for number in 1...2 { await connections.fail(number) }
    await clock.waitForSleepers(2)
    clock.advance(by: wait)
    #expect(clock.sleeperCount == 0)
    for number in 3...4 { await connections.opened(number).finish() }
    for reader in readers { #expect(try await reader.value == nil) }
  }

  @Test("attempts are made on the actor of the reader")
  @MainActor
  func isolation() async throws {
    let sequence = RetryingSequence(.never, clock: clock) {
      MainActor.assertIsolated()
      return AsyncStream<Int> { $0.finish() }
    }
    for try await _ in sequence {}
  }

  @Test("a failed attempt is released before the wait")
  func release() async throws {
    let tracker = LeakTracker()
    let sequence = RetryingSequence(.constant(.seconds(1)), clock: clock) {
      let object = tracker.track(Reentrant(1))
      return AsyncThrowingStream<Int, any Error>(unfolding: { throw Refused(reason: "\(object.number)") })
    }
    let reader = Task { try await sequence.first { _ in true } }
    await clock.waitForSleepers(1)
    try await tracker.assertAllReleased()
    reader.cancel()
    #expect(try await reader.value == nil)
  }

  @Test("attempts that fail at once leave time for other work on the same actor")
  func failingAtOnce() async throws {
    let queue = DispatchQueue(label: "retries")
    let attempts = Tally()
    let sequence = RetryingSequence<Connections.Messages>(.constant(.zero), clock: clock) {
      attempts.increment()
      throw Refused()
    }
    let reader = Task { try await Self.read(sequence, on: QueueIsolation(queue)) }
    try await until { attempts.count > 0 }
    queue.async { reader.cancel() }
    try await reader.value
  }

  private static func read(
    _ sequence: RetryingSequence<Connections.Messages>, on host: isolated QueueIsolation
  ) async throws {
    for try await _ in sequence {}
  }

  @Test("a cancellation that races with errors and waits ends the sequence without an error")
  func race() async throws {
    for round in 0..<300 {
      let attempts = Tally()
      let sequence = RetryingSequence(.constant(.nanoseconds(round % 2)), clock: clock) {
        attempts.increment()
        return AsyncThrowingStream<Int, any Error>(unfolding: { throw Refused() })
      }
      let reader = Task { try await sequence.first { _ in true } }
      // Ends the attempts even if the test is over its time limit.
      defer { reader.cancel() }
      if round % 3 == 0 { try await until { attempts.count > 0 } }
      async let advanced: Void = advance()
      reader.cancel()
      await advanced
      #expect(try await reader.value == nil)
      #expect(clock.sleeperCount == 0)
    }
  }

  @concurrent private func advance() async { for _ in 1...5 { clock.advance(by: .nanoseconds(1)) } }
}

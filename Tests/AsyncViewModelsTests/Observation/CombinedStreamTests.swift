import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

@Suite("Combined streams", .timeLimit(.minutes(5)), .endsWaits)
struct CombinedStreamTests {
  private let numbers = EventChannel<Int>()
  private let words = EventChannel<String>()

  /// Sends to a channel whose only observer waits, and returns when that observer waits again.
  private func send<Event>(_ event: Event, to channel: EventChannel<Event>) async throws {
    try await until { channel.waitingCount == 1 }
    channel.send(event)
    try await until { channel.waitingCount == 1 }
  }

  @Test("the first tuple comes when every input has yielded, and each later element yields another tuple")
  func tuples() async throws {
    let recorder = StateRecorder(AsyncStream(combiningLatest: numbers.events(), words.stream()))
    try await send(1, to: numbers)
    try await send(2, to: numbers)
    #expect(recorder.states.isEmpty)
    try await send("a", to: words)
    try await recorder.waitForStates(1)
    try await send("b", to: words)
    try await recorder.waitForStates(2)
    try await send(3, to: numbers)
    try await recorder.waitForStates(3)
    #expect(recorder.states.map(\.0) == [2, 2, 3])
    #expect(recorder.states.map(\.1) == ["a", "b", "b"])
  }

  @Test("a combined stream takes any number of inputs of any type, and an element may be nil")
  func anyInputs() async {
    let alone = await AsyncStream(combiningLatest: StateStore(1).states()).rest()
    #expect(alone == [1])
    let state = StateStore<Int?>(nil)
    let word = AsyncStream<String> {
      $0.yield("a")
      $0.finish()
    }
    var triples = AsyncStream(combiningLatest: state.values(), word, StateStore(2.5).states())
      .makeAsyncIterator()
    let triple = await triples.next()
    #expect(triple?.0 == .some(.none))
    #expect(triple?.1 == "a")
    #expect(triple?.2 == 2.5)
  }

  @Test("a slow reader continues with the latest tuple, and the inputs do not wait for the reader")
  func conflation() async throws {
    var pairs = AsyncStream(combiningLatest: numbers.events(), words.events()).makeAsyncIterator()
    try await send("a", to: words)
    for number in 1...20 { try await send(number, to: numbers) }
    #expect(try #require(await pairs.next()) == (20, "a"))
    try await send("b", to: words)
    #expect(try #require(await pairs.next()) == (20, "b"))
  }

  @Test("the stream ends when all inputs have ended, after the last tuple")
  func end() async throws {
    let pairs = AsyncStream(combiningLatest: numbers.events(), words.events())
    try await send(1, to: numbers)
    numbers.finish()
    try await send("a", to: words)
    try await send("b", to: words)
    words.send("c")
    words.finish()
    try await until { words.observerCount == 0 }
    let rest = await pairs.rest()
    #expect(rest.count == 1)
    #expect(try #require(rest.last) == (1, "c"))
  }

  @Test("if an input ends without an element, the stream ends, even if another input ignores cancellation")
  func emptyInput() async throws {
    let gate = Gate()
    let deaf = AsyncStream<Int>(unfolding: {
      await gate.wait()
      return 1
    })
    let triples = AsyncStream(combiningLatest: deaf, numbers.events(), words.events())
    await gate.waitForArrivals(1)
    words.finish()
    #expect(await triples.rest().isEmpty)
    try await until { numbers.observerCount == 0 }
    gate.open()
  }

  @Test("if the reader is cancelled, the stream stops reading its inputs at once")
  func cancellation() async throws {
    let (state, seen) = (StateStore(0), Gate(isOpen: true))
    let pairs = AsyncStream(combiningLatest: state.values(), numbers.events())
    let reader = Task {
      for await _ in pairs { await seen.wait() }
    }
    try await send(1, to: numbers)
    try await until { state.waitingCount == 1 }
    await seen.waitForArrivals(1)
    reader.cancel()
    // The reader may not have asked for the next tuple yet.
    await reader.value
    #expect((state.observerCount, numbers.observerCount) == (0, 0))
    #expect(await pairs.rest().isEmpty)
  }

  @Test("if the reader leaves the loop or drops an unread stream, the stream stops reading its inputs")
  func leaving() async throws {
    let (first, second) = (StateStore(0), StateStore(0))
    for await pair in AsyncStream(combiningLatest: first.values(), second.states()) {
      #expect(pair == (0, 0))
      break
    }
    try await until { first.observerCount == 0 && second.observerCount == 0 }
    do {
      let unread = AsyncStream(combiningLatest: first.values(), second.states())
      #expect((first.observerCount, second.observerCount) == (1, 1))
      withExtendedLifetime(unread) {}
    }
    try await until { first.observerCount == 0 && second.observerCount == 0 }
  }

  @Test("an input that ignores cancellation is released after its next element")
  func deafInput() async throws {
    let (gate, answers) = (Gate(), StateStore(0))
    try await LeakTracker.check { tracker in
      let captured = tracker.track(Reentrant(7))
      let deaf = AsyncStream<Int>(unfolding: {
        await gate.wait()
        return captured.number
      })
      do { _ = AsyncStream(combiningLatest: Deaf(base: deaf), answers.values()) }
      try await until { answers.observerCount == 0 }
      await gate.waitForArrivals(1)
      gate.open()
    }
    #expect(gate.arrivalCount == 1)
  }

  /// A sequence that reads its base in another task. So the read does not notice a cancellation.
  private struct Deaf<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
  where Base.Failure == Never, Base.Element: Sendable {
    let base: Base

    func makeAsyncIterator() -> Iterator { Iterator(base: base) }

    struct Iterator: AsyncIteratorProtocol {
      let base: Base

      mutating func next() async -> Base.Element? {
        await Task.detached { [base] in await base.next() }.value
      }

      mutating func next(isolation actor: isolated (any Actor)?) async -> Base.Element? { await next() }
    }
  }

  @Test("the stream does not keep the owners of its inputs alive, and an ended stream keeps no elements")
  func ownership() async throws {
    let (owners, elements) = (LeakTracker(), LeakTracker())
    let pairs: AsyncStream<(Reentrant, Reentrant)>
    do {
      let first = owners.track(StateStore(elements.track(Reentrant(1))))
      let second = owners.track(StateStore(elements.track(Reentrant(2))))
      pairs = AsyncStream(combiningLatest: first.values(), second.states())
      try await until { first.waitingCount == 1 && second.waitingCount == 1 }
      for number in 3...5 { first.send(elements.track(Reentrant(number))) }
    }
    try await owners.assertAllReleased()
    #expect(elements.survivors.count >= 2)
    #expect(await pairs.rest().last?.0.number == 5)
    try await elements.assertAllReleased()
    withExtendedLifetime(pairs) {}
  }

  @Test("the deinit of a replaced or unread element may send to an input and drop the stream")
  func reentrantDeinit() async throws {
    let values = EventChannel<Reentrant>()
    let holder = Holder<AsyncStream<(Reentrant, Int)>>()
    holder.set(AsyncStream(combiningLatest: values.events(), StateStore(1).states()))
    try await send(Reentrant(1) { values.send(Reentrant(3)) }, to: values)
    try await send(Reentrant(2) { holder.clear() }, to: values)
    try await until { values.observerCount == 0 }
  }

  @Test(
    "if senders race, no tuple has an older element than the tuple before, and the last elements arrive",
    arguments: [2, 3])
  func race(writers: Int) async throws {
    for _ in 0..<300 {
      let states = (0..<3).map { _ in StateStore(0) }
      let triples = AsyncStream(
        combiningLatest: states[0].values(), states[1].states(), states[2].values(.unbounded))
      let reader = Task {
        var last = (0, 0, 0)
        for await triple in triples {
          if triple.0 < last.0 || triple.1 < last.1 || triple.2 < last.2 {
            Issue.record("\(triple) came after \(last)")
          }
          last = triple
        }
        return last
      }
      DispatchQueue.concurrentPerform(iterations: writers) { writer in
        for number in 1...20 { states[writer].send(number) }
        states[writer].finish()
      }
      for state in states[writers...] { state.finish() }
      let last = await reader.value
      #expect(last == (20, 20, writers == 3 ? 20 : 0))
    }
  }

  /// Yields the numbers up to a limit and never waits.
  private struct Numbers: AsyncSequence, Sendable {
    let limit: Int

    func makeAsyncIterator() -> Iterator { Iterator(limit: limit) }

    struct Iterator: AsyncIteratorProtocol {
      let limit: Int
      private var last = 0

      init(limit: Int) { self.limit = limit }

      mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
        guard last < limit else { return nil }
        last += 1
        return last
      }

      mutating func next() async -> Int? { await next(isolation: #isolation) }
    }
  }

  @Test("if the inputs never wait, no tuple has an older element than the tuple before")
  func busyInputs() async {
    for _ in 0..<30 {
      let numbers = Numbers(limit: 3_000)
      var last = (0, 0, 0)
      for await triple in AsyncStream(combiningLatest: numbers, numbers, numbers) {
        if triple.0 < last.0 || triple.1 < last.1 || triple.2 < last.2 {
          Issue.record("\(triple) came after \(last)")
        }
        last = triple
      }
      #expect(last == (3_000, 3_000, 3_000))
    }
  }

  @Test(
    "if sends, finishes and a cancellation race, no observer and no task remains",
    .enabled(if: LiveObjects.areCounted))
  func cancelRace() async throws {
    try await LiveObjects.assertNothingLives {
      for round in 0..<1_000 {
        let (first, second) = (StateStore(0), EventChannel<Int>())
        let pairs = AsyncStream(combiningLatest: first.values(), second.stream())
        let reader = Task { for await _ in pairs {} }
        if round % 2 == 0 { await Task.yield() }
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
          switch thread {
          case 0: for number in 1...3 { first.send(number) }
          case 1: second.send(round)
          default: reader.cancel()
          }
          if thread == 1, round % 3 == 0 { second.finish() }
        }
        await reader.value
        try await until { first.observerCount == 0 && second.observerCount == 0 }
      }
    }
  }
}

import AsyncViewModelsTesting
import Testing

@testable import AsyncViewModels

@Suite("observe(on:) with a completion", .timeLimit(.minutes(1)))
struct ThrowingObserveTests {
  private let connections = Connections()
  private let clock = VirtualClock()

  private var retrying: RetryingSequence<Connections.Messages> {
    RetryingSequence(.constant(.seconds(1)), clock: clock) { [connections] in await connections.connect() }
  }

  /// An owner that notes what it receives.
  private actor RecordingOwner {
    let log: Notes
    private var observation: CancellationToken?

    init(_ log: Notes) { self.log = log }

    func follow<Source: AsyncSequence & Sendable>(_ source: Source) where Source.Element == Int {
      observation = source.observe(on: self) { owner, value in
        owner.assertIsolated()
        owner.log.add("\(value)")
      } completion: { owner, result in
        owner.assertIsolated()
        owner.log.add(Self.name(result))
      }
    }

    /// Occupies this actor until the observation has read the event, or for 100,000 checks, and then cancels
    /// the observation.
    func cancelInFlight(_ channel: EventChannel<Int>, finishing: Bool) {
      channel.keepForFirstObserver(1)
      if finishing { channel.finish() }
      for _ in 0..<100_000 where channel.keptCount > 0 {}
      observation?.cancel()
    }

    static func name<Failure>(_ result: Result<Void, Failure>) -> String {
      switch result {
      case .success: "end"
      case .failure(let error): "\(error)"
      }
    }
  }

  @MainActor
  private final class Controller {
    let log: Notes
    var observation: CancellationToken?

    init(_ log: Notes) { self.log = log }

    func follow<Source: AsyncSequence & Sendable>(_ source: Source)
    where Source.Element == Int, Source.Failure: Sendable {
      observation = source.observe(on: self) { controller, value in
        MainActor.assertIsolated()
        controller.log.add("\(value)")
      } completion: { controller, result in
        MainActor.assertIsolated()
        controller.log.add(RecordingOwner.name(result))
      }
    }
  }

  @Test("the owner receives the elements in order, then the error")
  func failure() async throws {
    let log = Notes()
    let owner = RecordingOwner(log)
    await owner.follow(await connections.connect())
    let connection = await connections.opened(1)
    for value in 1...100 { connection.yield(value) }
    connection.finish(throwing: Refused())
    try await until { log.all.count == 101 }
    #expect(log.all == (1...100).map(String.init) + ["\(Refused())"])
    withExtendedLifetime(owner) {}
  }

  @Test("the owner receives the end of a sequence, whether or not the sequence can throw")
  func end() async throws {
    let log = Notes()
    let owner = RecordingOwner(log)
    await owner.follow(await connections.connect())
    await connections.opened(1).finish()
    try await until { log.all.count == 1 }
    let state = ObservableState(1)
    await owner.follow(state.values())
    state.finish()
    try await until { log.all.count == 3 }
    #expect(log.all == ["end", "1", "end"])
    withExtendedLifetime(owner) {}
  }

  @Test(
    "an owner receives the elements of all attempts of a retrying sequence, until the owner is released",
    .enabled(if: LiveObjects.areCounted))
  func retries() async throws {
    try await LiveObjects.assertNothingLives {
      let log = Notes()
      try await LeakTracker.check { tracker in
        let owner = tracker.track(RecordingOwner(log))
        await owner.follow(retrying)
        await connections.opened(1).yield(1)
        await connections.fail(1)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        await connections.opened(2).yield(2)
        try await until { log.all.count == 2 }
        await connections.fail(2)
        await clock.waitForSleepers(1)
      }
      #expect(log.all == ["1", "2"])
      #expect((connections.count, clock.sleeperCount) == (2, 0))
    }
  }

  @Test("cancelling or releasing the token ends the loop without a completion", arguments: [true, false])
  func cancellation(byCancelling: Bool) async throws {
    let (log, ended) = (Notes(), Gate())
    let owner = RecordingOwner(log)
    let messages = await connections.connect()
    await connections.opened(1).onTermination = { _ in ended.open() }
    var token: CancellationToken? = messages.observe(on: owner) { owner, value in
      owner.log.add("\(value)")
    } completion: { owner, _ in
      owner.log.add("completion")
    }
    await connections.opened(1).yield(1)
    try await until { log.all.count == 1 }
    if byCancelling { token?.cancel() } else { token = nil }
    await ended.wait()
    #expect(log.all == ["1"])
    withExtendedLifetime(token) {}
  }

  @Test("an owner that is gone receives no completion", arguments: [true, false])
  func ownerGone(withElement: Bool) async throws {
    let (log, captured) = (Notes(), LeakTracker())
    let token = Holder<CancellationToken>()
    let messages = await connections.connect()
    try await LeakTracker.check { tracker in
      let owner = tracker.track(RecordingOwner(log))
      let object = captured.track(Reentrant(1))
      token.set(
        messages.observe(on: owner) { owner, value in
          owner.log.add("\(value + object.number)")
        } completion: { owner, _ in
          owner.log.add("completion")
        })
    }
    if withElement { await connections.opened(1).yield(1) }
    await connections.fail(1)
    try await captured.assertAllReleased()
    #expect(log.all == [])
    token.clear()
  }

  @Test(
    "after a cancel from the owner's isolation, neither the body nor the completion starts",
    arguments: [true, false])
  func nothingAfterCancel(finishing: Bool) async throws {
    for round in 1...60 {
      let (channel, log) = (EventChannel<Int>(), Notes())
      let owner = RecordingOwner(log)
      await owner.follow(channel.stream())
      if round % 2 == 0 { try await until { channel.waitingCount == 1 } }
      await owner.cancelInFlight(channel, finishing: finishing)
      try await until { channel.observerCount == 0 }
      #expect(log.all == [])
      withExtendedLifetime(owner) {}
    }
  }

  /// A sequence that never waits, never ends and ignores cancellation.
  private struct Endless: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
      mutating func next() async throws -> Int? { 1 }
    }

    func makeAsyncIterator() -> Iterator { Iterator() }
  }

  @Test("a cancel within the body ends the loop, even if the sequence ignores cancellation")
  func cancelInTheBody() async throws {
    let log = Notes()
    let owner = RecordingOwner(log)
    try await LeakTracker.check { tracker in
      let (token, gate) = (Holder<CancellationToken>(), Gate())
      let object = tracker.track(Reentrant(7))
      token.set(
        Endless().observe(on: owner) { owner, value in
          await gate.wait()
          token.clear()
          owner.log.add("\(value + object.number)")
        } completion: { owner, _ in
          owner.log.add("completion")
        })
      gate.open()
    }
    #expect(log.all == ["8"])
  }

  @Test(
    "a main-actor owner receives the elements and the error, and is not kept alive",
    .enabled(if: LiveObjects.areCounted))
  @MainActor
  func mainActor() async throws {
    let log = Notes()
    try await LiveObjects.assertNothingLives {
      try await LeakTracker.check { tracker in
        let controller = tracker.track(Controller(log))
        controller.follow(await connections.connect())
        for value in 1...20 { await connections.opened(1).yield(value) }
        await connections.fail(1)
        try await until { log.all.count == 21 }
        #expect(log.all == (1...20).map(String.init) + ["\(Refused())"])
        controller.follow(retrying)
        await connections.fail(2)
        await clock.waitForSleepers(1)
      }
      try await until { clock.sleeperCount == 0 }
      #expect(log.all.count == 21)
    }
  }

  @Test("a main-actor owner receives nothing after a cancel or its own release", arguments: [true, false])
  @MainActor
  func mainActorEnds(cancelling: Bool) async throws {
    for round in 1...60 {
      let (channel, log) = (EventChannel<Int>(), Notes())
      var controller: Controller? = Controller(log)
      let token = try #require(
        controller.map {
          channel.stream().observe(on: $0) { controller, value in
            controller.log.add("\(value)")
          } completion: { controller, _ in
            controller.log.add("completion")
          }
        })
      if round % 2 == 0 { try await until { channel.waitingCount == 1 } }
      if round % 3 > 0 { channel.keepForFirstObserver(1) }
      if round % 5 > 0 { channel.finish() }
      // Gives the reader time to take the event on another thread. The reader then waits for the main actor.
      for _ in 0..<100_000 where channel.keptCount > 0 {}
      if cancelling { token.cancel() } else { controller = nil }
      channel.finish()
      try await until { channel.observerCount == 0 }
      for _ in 1...3 { await Task.yield() }
      #expect(log.all == [])
      withExtendedLifetime((controller, token)) {}
    }
  }
}

import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

@Suite("observe(on:) with a completion", .timeLimit(.minutes(5)), .endsWaits)
struct ThrowingObserveTests {
  private let connections = Connections()

  /// An owner that logs the elements and the results that it receives.
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
    #expect(log.all == (1...100).map { number in "\(number)" } + ["\(Refused())"])
    withExtendedLifetime(owner) {}
  }

  @Test("the owner receives the end of a sequence, whether or not the sequence can throw")
  func end() async throws {
    let log = Notes()
    let owner = RecordingOwner(log)
    await owner.follow(await connections.connect())
    await connections.opened(1).finish()
    try await until { log.all.count == 1 }
    let state = StateStore(1)
    await owner.follow(state.values())
    state.finish()
    try await until { log.all.count == 3 }
    #expect(log.all == ["end", "1", "end"])
    withExtendedLifetime(owner) {}
  }

  @Test(
    "an owner receives elements until it is released, and then nothing reads the sequence",
    .enabled(if: LiveObjects.areCounted))
  func release() async throws {
    try await LiveObjects.assertNothingLives {
      let log = Notes()
      try await LeakTracker.check { tracker in
        let owner = tracker.track(RecordingOwner(log))
        await owner.follow(await connections.connect())
        await connections.opened(1).yield(1)
        await connections.opened(1).yield(2)
        try await until { log.all.count == 2 }
      }
      #expect(log.all == ["1", "2"])
    }
  }

  @Test("cancelling or releasing the token ends the loop without a completion", arguments: [true, false])
  func cancellation(byCancelling: Bool) async throws {
    let (log, ended) = (Notes(), Gate())
    let owner = RecordingOwner(log)
    // Nothing else keeps the stream: a loop that is cancelled between two reads ends without a further read.
    var token: CancellationToken? = await connections.connect().observe(on: owner) { owner, value in
      owner.log.add("\(value)")
    } completion: { owner, _ in
      owner.log.add("completion")
    }
    await connections.opened(1).onTermination = { _ in ended.open() }
    await connections.opened(1).yield(1)
    try await until { log.all.count == 1 }
    if byCancelling { token?.cancel() } else { token = nil }
    await ended.wait()
    #expect(log.all == ["1"])
    withExtendedLifetime(token) {}
  }

  @Test("an owner that was released receives neither elements nor the completion", arguments: [true, false])
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
    "after a cancel in the owner's isolation, a completed read calls neither the body nor the completion",
    arguments: SingleRead<Refused>.results)
  func nothingAfterCancel(result: Result<Int?, Refused>) async throws {
    let (queue, log, captured) = (DispatchQueue(label: "owner"), Notes(), LeakTracker())
    let (owner, token) = (QueueOwner(queue), Holder<CancellationToken>())
    let source = SingleRead(result) { queue.async { token.value?.cancel() } }
    func follow() {
      let object = captured.track(Reentrant(1))
      token.set(
        source.observe(on: owner) { _, value in
          log.add("\(value) of \(object.number)")
        } completion: { _, _ in
          log.add("completion of \(object.number)")
        })
    }
    follow()
    source.gate.open()
    try await captured.assertAllReleased()
    #expect(log.all == [])
    withExtendedLifetime(owner) {}
  }

  /// A sequence that never waits, never ends and ignores cancellation.
  private struct Endless: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
      mutating func next() async throws -> Int? { 1 }
    }

    func makeAsyncIterator() -> Iterator { Iterator() }
  }

  @Test("releasing the token in the body ends the loop, even if the sequence ignores cancellation")
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
    "a main-actor owner receives the elements and the error, and the observation does not keep it alive",
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
        #expect(log.all == (1...20).map { number in "\(number)" } + ["\(Refused())"])
        controller.follow(await connections.connect())
      }
      #expect(log.all.count == 21)
    }
  }

  @Test(
    "a main-actor owner receives nothing after a cancel or its own release", arguments: [true, false],
    SingleRead<Refused>.results)
  @MainActor
  func mainActorEnds(cancelling: Bool, result: Result<Int?, Refused>) async throws {
    let (log, captured) = (Notes(), LeakTracker())
    let (controller, token) = (Holder(Controller(log)), Holder<CancellationToken>())
    let source = SingleRead(result) {
      Task { @MainActor in if cancelling { token.value?.cancel() } else { controller.clear() } }
    }
    func follow(_ controller: Controller) {
      let object = captured.track(Reentrant(1))
      token.set(
        source.observe(on: controller) { _, value in
          log.add("\(value) of \(object.number)")
        } completion: { _, _ in
          log.add("completion of \(object.number)")
        })
    }
    follow(try #require(controller.value))
    source.gate.open()
    try await captured.assertAllReleased()
    #expect(log.all == [])
    controller.clear()
  }
}

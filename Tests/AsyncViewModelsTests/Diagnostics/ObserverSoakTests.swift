import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("Observer soak", .timeLimit(.minutes(5)), .endsWaits, .enabled(if: LiveObjects.areCounted))
struct ObserverSoakTests {
  /// How a test uses a subscription and ends it.
  enum Usage: CaseIterable {
    case dropped, readOnce, brokenOff, cancelledWhileWaiting, observed
  }

  private actor Owner {}

  @Test("100,000 subscriptions that end in different ways leave no observer and no task")
  func subscribeAndLeave() async throws {
    try await LiveObjects.scoped { liveObjects in
      let state = StateStore(0)
      let events = EventChannel<Int>()
      let owner = Owner()
      let remaining = state.states()
      let before = liveObjects.count
      let buffering: [BufferingPolicy] = [.latest, .bounded(2), .unbounded]
      for round in 0..<100_000 {
        let usage = Usage.allCases[round % Usage.allCases.count]
        let usesEvents = round.isMultiple(of: 7)
        let kind = buffering[round % buffering.count]
        if usesEvents { events.keepForFirstObserver(round) }
        await Self.subscribe(usesEvents ? events.stream(kind) : state.states(kind), usage, owner)
        if round.isMultiple(of: 10) { state.send(round) }
      }
      try await liveObjects.assertNothingAdded(since: before)
      #expect(before[.observer] == 1)
      #expect(state.observerCount == 1)
      #expect(events.observerCount == 0)
      withExtendedLifetime(remaining) {}
    }
  }

  private static func subscribe(_ stream: AsyncStream<Int>, _ usage: Usage, _ owner: Owner) async {
    switch usage {
    case .dropped: break
    case .readOnce:
      var iterator = stream.makeAsyncIterator()
      _ = await iterator.next()
    case .brokenOff: for await _ in stream { break }
    case .cancelledWhileWaiting:
      let reader = Task { for await _ in stream {} }
      reader.cancel()
      await reader.value
    case .observed: stream.observe(on: owner) { _, _ in }.cancel()
    }
  }
}

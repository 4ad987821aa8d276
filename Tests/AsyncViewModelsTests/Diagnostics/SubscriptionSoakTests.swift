import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@Suite("Subscriptions, for a long time", .timeLimit(.minutes(2)), .enabled(if: LiveObjects.areCounted))
struct SubscriptionSoakTests {
  /// The ways to come and go.
  enum Way: CaseIterable {
    case dropped, read, brokenOff, cancelledWhileWaiting, observed
  }

  private actor Owner {}

  @Test("100,000 times subscribed and left, in every way, leave no observer and no task alive")
  func subscribeAndLeave() async throws {
    try await LiveObjects.scoped { liveObjects in
      let state = ObservableState(0)
      let events = EventChannel<Int>()
      let owner = Owner()
      let steady = state.stream()
      let before = liveObjects.count
      let buffering: [BufferingPolicy] = [.latest, .bounded(2, dropping: .oldest), .unbounded]
      for round in 0..<100_000 {
        let way = Way.allCases[round % Way.allCases.count]
        let isOfEvents = round.isMultiple(of: 7)
        let kind = buffering[round % buffering.count]
        if isOfEvents { events.keepForFirstObserver(round) }
        await Self.subscribe(isOfEvents ? events.stream(kind) : state.stream(kind), way, owner)
        if round.isMultiple(of: 10) { state.send(round) }
      }
      try await liveObjects.assertNothing(beyond: before)
      #expect(before[.observer] == 1)
      #expect(state.observerCount == 1)
      #expect(events.observerCount == 0)
      withExtendedLifetime(steady) {}
    }
  }

  private static func subscribe(_ stream: AsyncStream<Int>, _ way: Way, _ owner: Owner) async {
    switch way {
    case .dropped: break
    case .read:
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

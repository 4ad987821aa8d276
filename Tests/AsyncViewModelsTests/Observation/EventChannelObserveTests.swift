import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("EventChannel: observe and repeated events", .timeLimit(.minutes(5)), .endsWaits)
struct EventChannelObserveTests {
  private actor Log {
    let notes = Notes()
    func add(_ event: Int) { notes.add("\(event)") }
  }

  @MainActor private final class Screen {
    var events: [Int] = []
  }

  @Test("an actor observes the kept and the sent events, until its token is cancelled")
  func onAnActor() async throws {
    let (channel, log) = (EventChannel<Int>(), Log())
    channel.keepForFirstObserver(1)
    let token = channel.observe(on: log) { log, event in log.add(event) }
    channel.send(2)
    try await until { log.notes.all == ["1", "2"] }
    token.cancel()
    try await until { channel.observerCount == 0 }
  }

  @Test("an object on the main actor observes events, and is not kept alive")
  @MainActor
  func onTheMainActor() async throws {
    let channel = EventChannel<Int>()
    let token = try await LeakTracker.check { tracker in
      let screen = tracker.track(Screen())
      let token = channel.observe(on: screen, buffering: .bounded(2)) { screen, event in
        screen.events.append(event)
      }
      for event in 1...5 { channel.send(event) }
      try await until { screen.events == [4, 5] }
      return token
    }
    token.cancel()
  }

  @Test("an event that is kept once is not kept again before an observer has read it")
  func once() async {
    let channel = EventChannel<Int>()
    for event in [1, 1, 2, 1, 2] { channel.keepOnceForFirstObserver(event) }
    #expect(channel.keptCount == 2)
    let events = channel.stream()
    #expect(await events.next(2) == [1, 2])
    channel.keepOnceForFirstObserver(1)
    #expect(await events.next() == 1)
    channel.finish()
    channel.keepOnceForFirstObserver(3)
    #expect(channel.keptCount == 0)
  }

  @Test("of many threads that keep one event once, one keeps it")
  func onceOnManyThreads() async {
    for round in 0..<500 {
      let channel = EventChannel<Int>()
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { channel.keepOnceForFirstObserver(round) } }
      }
      #expect(channel.keptCount == 1)
    }
  }

  @Test("an event that keeps another event when it is compared is kept after that event")
  func keptWhenCompared() async {
    let holder = Holder<EventChannel<ComparedKey>>()
    let (channel, keeps) = (EventChannel<ComparedKey>(), Tally())
    holder.set(channel)
    channel.keepOnceForFirstObserver(ComparedKey(name: "first"))
    channel.keepOnceForFirstObserver(
      ComparedKey(
        name: "last",
        whenCompared: {
          guard keeps.count == 0 else { return }
          keeps.increment()
          holder.value?.keepForFirstObserver(ComparedKey(name: "second"))
        }))
    #expect(await channel.stream().next(3).map(\.name) == ["first", "second", "last"])
    holder.clear()
  }
}

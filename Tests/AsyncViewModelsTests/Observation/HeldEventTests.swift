import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@Suite("EventChannel: held events", .timeLimit(.minutes(1)))
struct HeldEventTests {
  @Test(
    "a held event waits for the first observer that reads, and is taken once", arguments: HandOut.allCases)
  func waitsForTheFirst(handOut: HandOut) async {
    let channel = EventChannel<String>()
    channel.keepForFirstObserver("open the receipt")
    #expect(channel.keptCount == 1)
    let (first, second) = (handOut.observe(channel), handOut.observe(channel))
    #expect(await second.next() == "open the receipt")
    #expect(channel.keptCount == 0)
    channel.finish()
    #expect(await first.rest() == [])
    #expect(await second.rest() == [])
  }

  @Test("held events are taken in order, each by exactly one of those who wait", arguments: HandOut.allCases)
  func exactlyOneOfSeveral(handOut: HandOut) async throws {
    let channel = EventChannel<Int>()
    let recorders = (1...3).map { _ in StateRecorder(handOut.observe(channel)) }
    for event in 1...50 {
      try await until { channel.parkedCount == 3 }
      channel.keepForFirstObserver(event)
      try await until { channel.keptCount == 0 }
    }
    channel.finish()
    var taken: [Int] = []
    for recorder in recorders {
      let own = try await recorder.waitForEnd()
      #expect(own == own.sorted())
      taken += own
    }
    #expect(taken.sorted() == Array(1...50))
  }

  @Test(
    "an observer that leaves without reading leaves a held event for the next", arguments: HandOut.allCases)
  func survivesWhoLeaves(handOut: HandOut) async throws {
    let channel = EventChannel<Int>()
    do {
      let observer = handOut.observe(channel)
      channel.keepForFirstObserver(1)
      withExtendedLifetime(observer) {}
    }
    #expect(channel.keptCount == 1)

    let cancelled = handOut.observe(channel)
    let gate = Gate()
    let reader = Task {
      await gate.wait()
      return await cancelled.next()
    }
    reader.cancel()
    gate.open()
    #expect(await reader.value == nil)
    #expect(channel.keptCount == 1)
    #expect(await handOut.observe(channel).next() == 1)
    #expect(channel.keptCount == 0)
  }

  @Test(
    "held and broadcast events are read in the order in which they were sent", arguments: HandOut.allCases)
  func orderOfBothKinds(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    channel.keepForFirstObserver(1)
    channel.send(-1)
    let (taker, other) = (handOut.observe(channel), handOut.observe(channel))
    channel.send(2)
    channel.keepForFirstObserver(3)
    channel.keepForFirstObserver(4)
    channel.send(5)
    channel.keepForFirstObserver(6)
    channel.finish()
    #expect(await taker.rest() == [1, 2, 3, 4, 5, 6])
    #expect(await other.rest() == [2, 5])
  }

  @Test("no bound drops a held event", arguments: HandOut.allCases)
  func neverDropped(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    let observer = handOut.observe(channel, .bounded(1, dropping: .oldest))
    for event in 1...10 { channel.keepForFirstObserver(event) }
    for event in 11...13 { channel.send(event) }
    channel.finish()
    #expect(await observer.rest() == Array(1...10) + [13])
    #expect(channel.droppedCount == 2)
  }

  @Test(
    "what is held at the finish can still be taken, by those there and those who come",
    arguments: HandOut.allCases)
  func finishDrains(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    let early = handOut.observe(channel)
    for event in 1...3 { channel.keepForFirstObserver(event) }
    channel.finish()
    #expect(await early.next() == 1)
    #expect(await handOut.observe(channel).rest() == [2, 3])
    #expect(await early.rest() == [])
    #expect(await handOut.observe(channel).rest() == [])
    #expect(channel.observerCount == 0)
  }

  @Test(
    "what is held when the channel goes away can still be taken, and is freed if nobody does",
    arguments: HandOut.allCases)
  func ownersEnd(handOut: HandOut) async throws {
    let observer = try await LeakTracker.check { tracker in
      let channel = tracker.track(EventChannel<Int>())
      channel.keepForFirstObserver(1)
      return handOut.observe(channel)
    }
    #expect(await observer.rest() == [1])
    try await LeakTracker.check { tracker in
      let channel = EventChannel<Reentrant>()
      channel.keepForFirstObserver(tracker.track(Reentrant(1)))
    }
  }

  @Test("two tasks that read one stream do not take a held event twice", arguments: HandOut.allCases)
  func twoReaders(handOut: HandOut) async throws {
    let channel = EventChannel<Int>()
    let observer = handOut.observe(channel)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    try await until { channel.parkedCount == 2 }
    for event in 1...100 { event % 3 == 0 ? channel.send(event) : channel.keepForFirstObserver(event) }
    channel.finish()
    let seen = try await readers[0].waitForEnd() + readers[1].waitForEnd()
    #expect(seen.sorted() == Array(1...100))
  }
}

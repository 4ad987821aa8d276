import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@Suite("EventChannel", .timeLimit(.minutes(1)))
struct EventChannelTests {
  @Test("each event reaches each observer that is there, once and in order", arguments: HandOut.allCases)
  func broadcast(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    let observers = (1...3).map { _ in handOut.observe(channel) }
    for event in 1...100 { channel.send(event) }
    channel.finish()
    for observer in observers { #expect(await observer.rest() == Array(1...100)) }
  }

  @Test("observers that wait are handed each event as it comes", arguments: HandOut.allCases)
  func broadcastToWhoWaits(handOut: HandOut) async throws {
    let channel = EventChannel<Int>()
    let recorders = (1...3).map { _ in StateRecorder(handOut.observe(channel)) }
    for event in 1...20 {
      try await until { channel.parkedCount == 3 }
      channel.send(event)
    }
    for recorder in recorders { #expect(try await recorder.waitForStates(20) == Array(1...20)) }
  }

  @Test("no event is replayed", arguments: HandOut.allCases)
  func nothingIsReplayed(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    channel.send(1)
    let early = handOut.observe(channel)
    channel.send(2)
    let late = handOut.observe(channel)
    channel.send(3)
    channel.finish()
    #expect(await early.rest() == [2, 3])
    #expect(await late.rest() == [3])
  }

  @Test("equal events are events of their own", arguments: HandOut.allCases)
  func equalEvents(handOut: HandOut) async {
    let channel = EventChannel<String>()
    let observer = handOut.observe(channel)
    for _ in 1...3 { channel.send("no network") }
    #expect(await observer.next(3) == ["no network", "no network", "no network"])
  }

  @Test("an observer is there from the hand-out on, not from its first read", arguments: HandOut.allCases)
  func thereFromTheHandOut(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    let observer = handOut.observe(channel)
    #expect(channel.observerCount == 1)
    channel.send(1)
    #expect(await observer.next() == 1)
  }

  @Test(
    "finish: what is unread, then the end; what is sent afterwards is ignored", arguments: HandOut.allCases)
  func finish(handOut: HandOut) async throws {
    let channel = EventChannel<Int>()
    let unread = handOut.observe(channel)
    let waiting = StateRecorder(handOut.observe(channel))
    try await until { channel.parkedCount == 1 }
    channel.send(1)
    channel.send(2)
    channel.finish()
    channel.send(3)
    channel.keepForFirstObserver(4)
    #expect(channel.keptCount == 0)
    #expect(await unread.rest() == [1, 2])
    #expect(try await waiting.waitForEnd() == [1, 2])
    #expect(await handOut.observe(channel).rest() == [])
    #expect(channel.observerCount == 0)
  }

  @Test("when the channel goes away, its streams yield what is unread and end", arguments: HandOut.allCases)
  func ownersEnd(handOut: HandOut) async throws {
    let (unread, waiting) = try await LeakTracker.check { tracker in
      let channel = tracker.track(EventChannel<Int>())
      let unread = handOut.observe(channel)
      let waiting = StateRecorder(handOut.observe(channel))
      try await until { channel.parkedCount == 1 }
      channel.send(1)
      channel.send(2)
      return (unread, waiting)
    }
    #expect(await unread.rest() == [1, 2])
    #expect(try await waiting.waitForEnd() == [1, 2])
  }

  @Test(
    "what an observer's bound makes it drop is counted, also when it has left", arguments: HandOut.allCases)
  func drops(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    do {
      let oldest = channel.events(.bounded(2, dropping: .oldest))
      let newest = channel.events(.bounded(3, dropping: .newest))
      let other = handOut.observe(channel, .bounded(4, dropping: .newest))
      let all = handOut.observe(channel)
      for event in 1...10 { channel.send(event) }
      #expect(oldest.droppedCount == 8)
      #expect(newest.droppedCount == 7)
      #expect(channel.droppedCount == 8 + 7 + 6)
      #expect(await oldest.next(2) == [9, 10])
      #expect(await newest.next(3) == [1, 2, 3])
      #expect(await other.next(4) == [1, 2, 3, 4])
      #expect(await all.next(10) == Array(1...10))
    }
    #expect(channel.observerCount == 0)
    #expect(channel.droppedCount == 21)
  }

  @Test("an observer of the latest event is handed the newest only", arguments: HandOut.allCases)
  func latestEvent(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    let observer = handOut.observe(channel, .latest)
    for event in 1...10 { channel.send(event) }
    #expect(await observer.next() == 10)
    #expect(channel.droppedCount == 0)
  }

  @Test(
    "cancelling, breaking and dropping free the observer", arguments: HandOut.allCases, BufferingPolicy.kinds)
  func leaving(handOut: HandOut, buffering: BufferingPolicy) async throws {
    let channel = EventChannel<Int>()
    let recorder = StateRecorder(handOut.observe(channel, buffering))
    try await until { channel.parkedCount == 1 }
    recorder.cancel()
    #expect(channel.observerCount == 0)
    #expect(channel.parkedCount == 0)
    #expect(try await recorder.waitForEnd() == [])

    let other = handOut.observe(channel, buffering)
    do {
      let dropped = handOut.observe(channel, buffering)
      channel.send(1)
      withExtendedLifetime(dropped) {}
    }
    #expect(channel.observerCount == 1)
    #expect(await other.next() == 1)
    for await _ in handOut.observe(channel, buffering).sending(2, through: channel) { break }
    #expect(channel.observerCount == 1)
    #expect(await other.next() == 2)
  }

  @Test("any observer may leave, in any order, and the others go on", arguments: HandOut.allCases)
  func leavingInAnyOrder(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    var observers = (0..<6).map { _ in handOut.observe(channel) }
    var sent = 0
    for index in [2, 0, 3, 1] {
      observers.remove(at: index)
      sent += 1
      channel.send(sent)
      #expect(channel.observerCount == observers.count)
      for observer in observers { #expect(await observer.next() == sent) }
    }
  }

  @Test("a cancelled task that begins to read a stream ends it", arguments: HandOut.allCases)
  func cancelledReader(handOut: HandOut) async {
    let channel = EventChannel<Int>()
    let observer = handOut.observe(channel)
    channel.send(1)
    let gate = Gate()
    let reader = Task {
      await gate.wait()
      return await observer.rest()
    }
    reader.cancel()
    gate.open()
    #expect(await reader.value == [])
    #expect(channel.observerCount == 0)
  }

  @Test("two tasks that read one stream share its events, and both end", arguments: HandOut.allCases)
  func twoReadersShare(handOut: HandOut) async throws {
    let channel = EventChannel<Int>()
    let observer = handOut.observe(channel)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    try await until { channel.parkedCount == 2 }
    for event in 1...500 { channel.send(event) }
    channel.finish()
    let seen = try await readers[0].waitForEnd() + readers[1].waitForEnd()
    #expect(seen.sorted() == Array(1...500))
  }

  @Test("events are freed when everyone has read them, or has left", arguments: HandOut.allCases)
  func eventsAreFreed(handOut: HandOut) async throws {
    let tracker = LeakTracker()
    let channel = EventChannel<Reentrant>()
    let (reader, sluggard) = (handOut.observe(channel), handOut.observe(channel))
    for number in 1...10 { channel.send(tracker.track(Reentrant(number))) }
    #expect(await reader.next(10).map(\.number) == Array(1...10))
    #expect(tracker.survivors.count == 10)
    let leaving = Task { await sluggard.next() == nil }
    leaving.cancel()
    _ = await leaving.value
    try await tracker.assertAllReleased()
    withExtendedLifetime((reader, sluggard)) {}
  }
}

extension Observer {
  /// This observer, after one more event has been sent.
  fileprivate func sending(_ event: Element, through channel: EventChannel<Element>) -> Self {
    channel.send(event)
    return self
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("EventChannel", .timeLimit(.minutes(5)), .endsWaits)
struct EventChannelTests {
  @Test("each event reaches every current observer once and in order", arguments: ObserverForm.allCases)
  func broadcast(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    let observers = (1...3).map { _ in form.observe(channel) }
    for event in 1...100 { channel.send(event) }
    channel.finish()
    for observer in observers { #expect(await observer.rest() == Array(1...100)) }
  }

  @Test("waiting observers receive each event when it is sent", arguments: ObserverForm.allCases)
  func broadcastToWaitingObservers(form: ObserverForm) async throws {
    let channel = EventChannel<Int>()
    let recorders = (1...3).map { _ in StateRecorder(form.observe(channel)) }
    for event in 1...20 {
      try await until { channel.waitingCount == 3 }
      channel.send(event)
    }
    for recorder in recorders { #expect(try await recorder.waitForStates(20) == Array(1...20)) }
  }

  @Test(
    "an observer receives no event that was sent before the observer was created",
    arguments: ObserverForm.allCases)
  func nothingIsReplayed(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    channel.send(1)
    let early = form.observe(channel)
    channel.send(2)
    let late = form.observe(channel)
    channel.send(3)
    channel.finish()
    #expect(await early.rest() == [2, 3])
    #expect(await late.rest() == [3])
  }

  @Test("equal events are delivered separately", arguments: ObserverForm.allCases)
  func equalEvents(form: ObserverForm) async {
    let channel = EventChannel<String>()
    let observer = form.observe(channel)
    for _ in 1...3 { channel.send("no network") }
    #expect(await observer.next(3) == ["no network", "no network", "no network"])
  }

  @Test(
    "an observer receives events that are sent before its first read", arguments: ObserverForm.allCases)
  func observerExistsFromCreation(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    let observer = form.observe(channel)
    #expect(channel.observerCount == 1)
    channel.send(1)
    #expect(await observer.next() == 1)
  }

  @Test(
    "after finish, streams yield the unread events and end, and later events are ignored",
    arguments: ObserverForm.allCases)
  func finish(form: ObserverForm) async throws {
    let channel = EventChannel<Int>()
    let unread = form.observe(channel)
    let waiting = StateRecorder(form.observe(channel))
    try await until { channel.waitingCount == 1 }
    channel.send(1)
    channel.send(2)
    channel.finish()
    channel.send(3)
    channel.keepForFirstObserver(4)
    #expect(channel.keptCount == 0)
    #expect(await unread.rest() == [1, 2])
    #expect(try await waiting.waitForEnd() == [1, 2])
    #expect(await form.observe(channel).rest() == [])
    #expect(channel.observerCount == 0)
  }

  @Test(
    "after the channel is deallocated, its streams yield the unread events and end",
    arguments: ObserverForm.allCases)
  func ownersEnd(form: ObserverForm) async throws {
    let (unread, waiting) = try await LeakTracker.check { tracker in
      let channel = tracker.track(EventChannel<Int>())
      let unread = form.observe(channel)
      let waiting = StateRecorder(form.observe(channel))
      try await until { channel.waitingCount == 1 }
      channel.send(1)
      channel.send(2)
      return (unread, waiting)
    }
    #expect(await unread.rest() == [1, 2])
    #expect(try await waiting.waitForEnd() == [1, 2])
  }

  @Test(
    "the drops of bounded observers are counted, even after they have left", arguments: ObserverForm.allCases)
  func drops(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    do {
      let two = channel.events(.bounded(2))
      let three = channel.events(.bounded(3))
      let other = form.observe(channel, .bounded(4))
      let all = form.observe(channel)
      for event in 1...10 { channel.send(event) }
      #expect(two.droppedCount == 8)
      #expect(three.droppedCount == 7)
      #expect(channel.droppedCount == 8 + 7 + 6)
      #expect(await two.next(2) == [9, 10])
      #expect(await three.next(3) == [8, 9, 10])
      #expect(await other.next(4) == [7, 8, 9, 10])
      #expect(await all.next(10) == Array(1...10))
    }
    #expect(channel.observerCount == 0)
    #expect(channel.droppedCount == 21)
  }

  @Test(
    "an observer with the `.latest` policy receives only the newest unread event",
    arguments: ObserverForm.allCases)
  func latestEvent(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    let observer = form.observe(channel, .latest)
    for event in 1...10 { channel.send(event) }
    #expect(await observer.next() == 10)
    #expect(channel.droppedCount == 0)
  }

  @Test(
    "cancelling the reader, leaving the loop or dropping the stream removes the observer",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func leaving(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let channel = EventChannel<Int>()
    let recorder = StateRecorder(form.observe(channel, buffering))
    try await until { channel.waitingCount == 1 }
    recorder.cancel()
    #expect(channel.observerCount == 0)
    #expect(channel.waitingCount == 0)
    #expect(try await recorder.waitForEnd() == [])

    let other = form.observe(channel, buffering)
    do {
      let dropped = form.observe(channel, buffering)
      channel.send(1)
      withExtendedLifetime(dropped) {}
    }
    #expect(channel.observerCount == 1)
    #expect(await other.next() == 1)
    for await _ in form.observe(channel, buffering).sending(2, through: channel) { break }
    #expect(channel.observerCount == 1)
    #expect(await other.next() == 2)
  }

  @Test("observers can leave in any order, and the others continue", arguments: ObserverForm.allCases)
  func leavingInAnyOrder(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    var observers = (0..<6).map { _ in form.observe(channel) }
    var sent = 0
    for index in [2, 0, 3, 1] {
      observers.remove(at: index)
      sent += 1
      channel.send(sent)
      #expect(channel.observerCount == observers.count)
      for observer in observers { #expect(await observer.next() == sent) }
    }
  }

  @Test("a cancelled task that starts to read a stream ends the stream", arguments: ObserverForm.allCases)
  func cancelledReader(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    let observer = form.observe(channel)
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

  @Test("two tasks that read one stream split its events, and both end", arguments: ObserverForm.allCases)
  func twoReadersSplitTheEvents(form: ObserverForm) async throws {
    let channel = EventChannel<Int>()
    let observer = form.observe(channel)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    try await until { channel.waitingCount == 2 }
    for event in 1...500 { channel.send(event) }
    channel.finish()
    let seen = try await readers[0].waitForEnd() + readers[1].waitForEnd()
    #expect(seen.sorted() == Array(1...500))
  }

  @Test("an event is released when every observer has read it or has left", arguments: ObserverForm.allCases)
  func eventsAreReleased(form: ObserverForm) async throws {
    let tracker = LeakTracker()
    let channel = EventChannel<Reentrant>()
    let (reader, idle) = (form.observe(channel), form.observe(channel))
    for number in 1...10 { channel.send(tracker.track(Reentrant(number))) }
    #expect(await reader.next(10).map(\.number) == Array(1...10))
    #expect(tracker.survivors.count == 10)
    let leaving = Task {
      // Cancels before the read. Otherwise, the read could return an event.
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await idle.next() == nil
    }
    #expect(await leaving.value)
    try await tracker.assertAllReleased()
    withExtendedLifetime((reader, idle)) {}
  }
}

extension Observer {
  /// Sends one more event, then returns this observer.
  fileprivate func sending(_ event: Element, through channel: EventChannel<Element>) -> Self {
    channel.send(event)
    return self
  }
}

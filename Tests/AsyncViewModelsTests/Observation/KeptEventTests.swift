import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("EventChannel: events kept for the first observer", .timeLimit(.minutes(5)), .endsWaits)
struct KeptEventTests {
  @Test(
    "a kept event goes to the first observer that reads, and to no other", arguments: ObserverForm.allCases)
  func goesToTheFirstReader(form: ObserverForm) async {
    let channel = EventChannel<String>()
    channel.keepForFirstObserver("open the receipt")
    #expect(channel.keptCount == 1)
    let (first, second) = (form.observe(channel), form.observe(channel))
    #expect(await second.next() == "open the receipt")
    #expect(channel.keptCount == 0)
    channel.finish()
    #expect(await first.rest() == [])
    #expect(await second.rest() == [])
  }

  @Test(
    "kept events are read in order, each by exactly one of the waiting observers",
    arguments: ObserverForm.allCases)
  func exactlyOneOfSeveral(form: ObserverForm) async throws {
    let channel = EventChannel<Int>()
    let recorders = (1...3).map { _ in StateRecorder(form.observe(channel)) }
    for event in 1...50 {
      try await until { channel.waitingCount == 3 }
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
    "a kept event that an observer leaves unread remains for the next observer",
    arguments: ObserverForm.allCases)
  func outlivesAnObserver(form: ObserverForm) async throws {
    let channel = EventChannel<Int>()
    do {
      let observer = form.observe(channel)
      channel.keepForFirstObserver(1)
      withExtendedLifetime(observer) {}
    }
    #expect(channel.keptCount == 1)

    let cancelled = form.observe(channel)
    let gate = Gate()
    let reader = Task {
      await gate.wait()
      return await cancelled.next()
    }
    reader.cancel()
    gate.open()
    #expect(await reader.value == nil)
    #expect(channel.keptCount == 1)
    #expect(await form.observe(channel).next() == 1)
    #expect(channel.keptCount == 0)
  }

  @Test(
    "kept and broadcast events are read in the order in which they were sent",
    arguments: ObserverForm.allCases)
  func orderOfBothKinds(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    channel.keepForFirstObserver(1)
    channel.send(-1)
    let (taker, other) = (form.observe(channel), form.observe(channel))
    channel.send(2)
    channel.keepForFirstObserver(3)
    channel.keepForFirstObserver(4)
    channel.send(5)
    channel.keepForFirstObserver(6)
    channel.finish()
    #expect(await taker.rest() == [1, 2, 3, 4, 5, 6])
    #expect(await other.rest() == [2, 5])
  }

  @Test("a full buffer never drops a kept event", arguments: ObserverForm.allCases)
  func neverDropped(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    let observer = form.observe(channel, .bounded(1))
    for event in 1...10 { channel.keepForFirstObserver(event) }
    for event in 11...13 { channel.send(event) }
    channel.finish()
    #expect(await observer.rest() == Array(1...10) + [13])
    #expect(channel.droppedCount == 2)
  }

  @Test(
    "after finish, current and later observers can still read the kept events",
    arguments: ObserverForm.allCases)
  func readAfterFinish(form: ObserverForm) async {
    let channel = EventChannel<Int>()
    let early = form.observe(channel)
    for event in 1...3 { channel.keepForFirstObserver(event) }
    channel.finish()
    #expect(await early.next() == 1)
    #expect(await form.observe(channel).rest() == [2, 3])
    #expect(await early.rest() == [])
    #expect(await form.observe(channel).rest() == [])
    #expect(channel.observerCount == 0)
  }

  @Test(
    "observers of a deallocated channel can read its kept events; a channel without observers releases them",
    arguments: ObserverForm.allCases)
  func ownersEnd(form: ObserverForm) async throws {
    let observer = try await LeakTracker.check { tracker in
      let channel = tracker.track(EventChannel<Int>())
      channel.keepForFirstObserver(1)
      return form.observe(channel)
    }
    #expect(await observer.rest() == [1])
    try await LeakTracker.check { tracker in
      let channel = EventChannel<Reentrant>()
      channel.keepForFirstObserver(tracker.track(Reentrant(1)))
    }
  }

  @Test("two tasks that read one stream do not both receive a kept event", arguments: ObserverForm.allCases)
  func twoReaders(form: ObserverForm) async throws {
    let channel = EventChannel<Int>()
    let observer = form.observe(channel)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    try await until { channel.waitingCount == 2 }
    for event in 1...100 { event % 3 == 0 ? channel.send(event) : channel.keepForFirstObserver(event) }
    channel.finish()
    let seen = try await readers[0].waitForEnd() + readers[1].waitForEnd()
    #expect(seen.sorted() == Array(1...100))
  }
}

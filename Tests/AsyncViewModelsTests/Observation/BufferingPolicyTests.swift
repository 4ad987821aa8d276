import AsyncViewModels
import Testing

@Suite("ObservableState: what an observer keeps while it is busy", .timeLimit(.minutes(1)))
struct BufferingPolicyTests {
  @Test("bounded, dropping the oldest: an observer ends on the newest, and knows how many it missed")
  func droppingOldest() async {
    let state = ObservableState(0)
    let observer = state.values(.bounded(3, dropping: .oldest))
    for value in 1...10 { state.send(value) }
    #expect(observer.droppedCount == 8)
    #expect(state.droppedCount == 8)
    state.finish()
    #expect(await observer.rest() == [8, 9, 10])
  }

  @Test("bounded, dropping the newest: an observer keeps an unbroken beginning")
  func droppingNewest() async {
    let state = ObservableState(0)
    let observer = state.values(.bounded(3, dropping: .newest))
    for value in 1...10 { state.send(value) }
    #expect(observer.droppedCount == 8)
    #expect(await observer.next() == 0)
    state.send(11)
    #expect(observer.droppedCount == 8)
    state.finish()
    #expect(await observer.rest() == [1, 2, 11])
  }

  @Test("a bounded AsyncStream keeps to its bound too")
  func boundedStreams() async {
    let state = ObservableState(0)
    let oldest = state.stream(.bounded(2, dropping: .oldest))
    let newest = state.stream(.bounded(2, dropping: .newest))
    for value in 1...5 { state.send(value) }
    #expect(state.droppedCount == 8)
    state.finish()
    #expect(await oldest.rest() == [4, 5])
    #expect(await newest.rest() == [0, 1])
  }

  @Test(
    "a buffer that is exactly full has dropped nothing",
    arguments: HandOut.allCases, [BufferingPolicy.Overflow.oldest, .newest])
  func exactlyFull(handOut: HandOut, overflow: BufferingPolicy.Overflow) async {
    let state = ObservableState(0)
    let observer = handOut.observe(state, .bounded(4, dropping: overflow))
    for value in 1...3 { state.send(value) }
    #expect(state.droppedCount == 0)
    #expect(await observer.next(4) == [0, 1, 2, 3])
  }

  @Test("drops are counted for each observer, and for all together", arguments: HandOut.allCases)
  func dropCounts(handOut: HandOut) {
    let state = ObservableState(0)
    let (one, five) = (
      state.values(.bounded(1, dropping: .oldest)), state.values(.bounded(5, dropping: .newest))
    )
    let other = handOut.observe(state, .bounded(2, dropping: .oldest))
    for value in 1...9 { state.send(value) }
    #expect(one.droppedCount == 9)
    #expect(five.droppedCount == 5)
    #expect(state.droppedCount == 9 + 5 + 8)
    withExtendedLifetime(other) {}
  }

  @Test("what an observer dropped still counts when it has left", arguments: HandOut.allCases)
  func dropsOfThoseWhoLeft(handOut: HandOut) async {
    let state = ObservableState(0)
    do {
      let observer = handOut.observe(state, .bounded(1, dropping: .oldest))
      for value in 1...9 { state.send(value) }
      withExtendedLifetime(observer) {}
    }
    #expect(state.observerCount == 0)
    #expect(state.droppedCount == 9)
    let ended = state.values(.bounded(1, dropping: .oldest))
    state.send(10)
    state.finish()
    #expect(await ended.rest() == [10])
    #expect(ended.droppedCount == 1)
    #expect(state.droppedCount == 10)
  }

  @Test("what the latest passes over does not count as dropped", arguments: HandOut.allCases)
  func conflationDropsNothing(handOut: HandOut) {
    let state = ObservableState(0)
    let (latest, elements) = (handOut.observe(state), state.values())
    for value in 1...9 { state.send(value) }
    #expect(state.droppedCount == 0)
    #expect(elements.droppedCount == 0)
    withExtendedLifetime(latest) {}
  }

  @Test("unbounded: nothing is left out, however late it is read", arguments: HandOut.allCases)
  func unbounded(handOut: HandOut) async {
    let state = ObservableState(0)
    let observer = handOut.observe(state, .unbounded)
    for value in 1...5_000 { state.send(value) }
    #expect(await observer.next(100) == Array(0..<100))
    for value in 5_001...10_000 { state.send(value) }
    state.finish()
    #expect(await observer.rest() == Array(100...10_000))
    #expect(state.droppedCount == 0)
  }

  @Test("each observer keeps what it chose, and none affects another")
  func independence() async {
    let state = ObservableState(0)
    let latest = state.stream()
    let two = state.stream(.bounded(2, dropping: .oldest))
    let all = state.stream(.unbounded)
    for value in 1...5 { state.send(value) }
    #expect(await all.next(6) == [0, 1, 2, 3, 4, 5])
    #expect(await two.next(2) == [4, 5])
    #expect(await latest.next() == 5)
  }

  @Test("a buffered observer that comes late begins with the current value")
  func lateObserver() async {
    let state = ObservableState(0)
    let early = state.stream(.unbounded)
    for value in 1...5 { state.send(value) }
    let late = state.stream(.unbounded)
    state.send(6)
    #expect(await late.next(2) == [5, 6])
    #expect(await early.next(7) == Array(0...6))
  }

  @Test("a bound of 0 is a programming error, and the message says so")
  func boundOfZero() async throws {
    let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ObservableState(0).stream(.bounded(0, dropping: .oldest))
    }
    #expect(String(decoding: exit.standardErrorContent, as: UTF8.self).contains("bounded(0, …)"))
    await #expect(processExitsWith: .failure) {
      _ = ObservableState(0).values(.bounded(-1, dropping: .newest))
    }
    await #expect(processExitsWith: .failure) {
      _ = EventChannel<Int>().stream(.bounded(0, dropping: .newest))
    }
  }
}

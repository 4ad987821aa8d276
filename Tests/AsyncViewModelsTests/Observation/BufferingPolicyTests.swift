import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("StateStore: buffering policies", .timeLimit(.minutes(5)), .endsWaits)
struct BufferingPolicyTests {
  @Test("an observer with a full buffer reads the newest values and counts the drops")
  func drops() async {
    let state = StateStore(0)
    let observer = state.values(.bounded(3))
    for value in 1...10 { state.send(value) }
    #expect(observer.droppedCount == 8)
    #expect(state.droppedCount == 8)
    state.finish()
    #expect(await observer.rest() == [8, 9, 10])
  }

  @Test("an AsyncStream with a bounded policy keeps at most as many unread values as its limit")
  func boundedStreams() async {
    let state = StateStore(0)
    let stream = state.states(.bounded(2))
    for value in 1...5 { state.send(value) }
    #expect(state.droppedCount == 4)
    state.finish()
    #expect(await stream.rest() == [4, 5])
  }

  @Test("a buffer that is exactly full drops nothing", arguments: ObserverForm.allCases)
  func exactlyFull(form: ObserverForm) async {
    let state = StateStore(0)
    let observer = form.observe(state, .bounded(4))
    for value in 1...3 { state.send(value) }
    #expect(state.droppedCount == 0)
    #expect(await observer.next(4) == [0, 1, 2, 3])
  }

  @Test("drops are counted for each observer and in total", arguments: ObserverForm.allCases)
  func dropCounts(form: ObserverForm) {
    let state = StateStore(0)
    let (one, five) = (state.values(.bounded(1)), state.values(.bounded(5)))
    let other = form.observe(state, .bounded(2))
    for value in 1...9 { state.send(value) }
    #expect(one.droppedCount == 9)
    #expect(five.droppedCount == 5)
    #expect(state.droppedCount == 9 + 5 + 8)
    withExtendedLifetime(other) {}
  }

  @Test(
    "the total number of drops still includes the drops of an observer that has left",
    arguments: ObserverForm.allCases)
  func dropsOfFormerObservers(form: ObserverForm) async {
    let state = StateStore(0)
    do {
      let observer = form.observe(state, .bounded(1))
      for value in 1...9 { state.send(value) }
      withExtendedLifetime(observer) {}
    }
    #expect(state.observerCount == 0)
    #expect(state.droppedCount == 9)
    let ended = state.values(.bounded(1))
    state.send(10)
    state.finish()
    #expect(await ended.rest() == [10])
    #expect(ended.droppedCount == 1)
    #expect(state.droppedCount == 10)
  }

  @Test("an observer that has left still knows how many elements it dropped")
  func dropsKnownAfterLeaving() async {
    let state = StateStore(0)
    let observer = state.values(.bounded(1))
    for value in 1...9 { state.send(value) }
    await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      #expect(await observer.next() == nil)
    }.value
    #expect(state.observerCount == 0)
    #expect(observer.droppedCount == 9)
  }

  @Test("values that the `.latest` policy skips do not count as dropped", arguments: ObserverForm.allCases)
  func conflationDropsNothing(form: ObserverForm) {
    let state = StateStore(0)
    let (latest, elements) = (form.observe(state), state.values())
    for value in 1...9 { state.send(value) }
    #expect(state.droppedCount == 0)
    #expect(elements.droppedCount == 0)
    withExtendedLifetime(latest) {}
  }

  @Test("an unbounded observer receives every value, however late it reads", arguments: ObserverForm.allCases)
  func unbounded(form: ObserverForm) async {
    let state = StateStore(0)
    let observer = form.observe(state, .unbounded)
    for value in 1...5_000 { state.send(value) }
    #expect(await observer.next(100) == Array(0..<100))
    for value in 5_001...10_000 { state.send(value) }
    state.finish()
    #expect(await observer.rest() == Array(100...10_000))
    #expect(state.droppedCount == 0)
  }

  @Test("each observer has its own policy and does not affect the others")
  func independence() async {
    let state = StateStore(0)
    let latest = state.states()
    let two = state.states(.bounded(2))
    let all = state.states(.unbounded)
    for value in 1...5 { state.send(value) }
    #expect(await all.next(6) == [0, 1, 2, 3, 4, 5])
    #expect(await two.next(2) == [4, 5])
    #expect(await latest.next() == 5)
  }

  @Test("a buffering observer that is created late starts with the current value")
  func lateObserver() async {
    let state = StateStore(0)
    let early = state.states(.unbounded)
    for value in 1...5 { state.send(value) }
    let late = state.states(.unbounded)
    state.send(6)
    #expect(await late.next(2) == [5, 6])
    #expect(await early.next(7) == Array(0...6))
  }

  #if os(macOS) || os(Linux)
    @Test("a limit below 1 terminates the process with a message that names the limit")
    func limitOfZero() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = StateStore(0).states(.bounded(0))
      }
      #expect(String(decoding: exit.standardErrorContent, as: UTF8.self).contains("bounded(0)"))
      await #expect(processExitsWith: .failure) {
        _ = StateStore(0).values(.bounded(-1))
      }
      await #expect(processExitsWith: .failure) {
        _ = EventChannel<Int>().stream(.bounded(0))
      }
    }
  #endif
}

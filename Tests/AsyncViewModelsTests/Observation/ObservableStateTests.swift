import Synchronization
import Testing

@testable import AsyncViewModels
@testable import AsyncViewModelsTesting

@Suite("ObservableState: what its observers see", .timeLimit(.minutes(1)))
struct ObservableStateTests {
  /// Owns a state, and changes it in its own isolation.
  private actor Owner {
    nonisolated let state = ObservableState(0)

    func send(_ value: Int) { state.send(value) }
  }

  @Test(
    "the first value is the one that is current at the hand-out", arguments: HandOut.allCases,
    BufferingPolicy.kinds
  )
  func firstValue(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    state.send(1)
    #expect(await handOut.observe(state, buffering).next() == 1)
  }

  @Test("what is sent between the hand-out and the first read is not missed", arguments: HandOut.allCases)
  func nothingMissedAfterTheHandOut(handOut: HandOut) async {
    let owner = Owner()
    let (latest, all) = (handOut.observe(owner.state), handOut.observe(owner.state, .unbounded))
    await owner.send(1)
    await owner.send(2)
    #expect(await latest.next() == 2)
    #expect(await all.next(3) == [0, 1, 2])
  }

  @Test(
    "an observer that waits is handed each value as it comes", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func everyValueToWhoWaits(handOut: HandOut, buffering: BufferingPolicy) async throws {
    let state = ObservableState(0)
    let recorder = StateRecorder(handOut.observe(state, buffering))
    for value in 1...20 {
      try await until { state.parkedCount == 1 }
      state.send(value)
    }
    #expect(try await recorder.waitForStates(21) == Array(0...20))
  }

  @Test("a slow observer goes on with the latest value, and sees none twice", arguments: HandOut.allCases)
  func conflation(handOut: HandOut) async {
    let state = ObservableState(0)
    let observer = handOut.observe(state)
    #expect(await observer.next() == 0)
    for value in 1...100 { state.send(value) }
    #expect(await observer.next() == 100)
    state.send(101)
    #expect(await observer.next() == 101)
    state.finish()
    #expect(await observer.next() == nil)
  }

  @Test(
    "an observer that does not read delays neither the sender nor the others", arguments: HandOut.allCases)
  func slowObserverDelaysNobody(handOut: HandOut) async {
    let state = ObservableState(0)
    let asleep = BufferingPolicy.kinds.map { handOut.observe(state, $0) }
    let awake = handOut.observe(state)
    for value in 1...10 {
      state.send(value)
      #expect(await awake.next() == value)
    }
    withExtendedLifetime(asleep) {}
  }

  @Test("observers that do not read keep no history", arguments: HandOut.allCases)
  func constantMemory(handOut: HandOut) async throws {
    try await LeakTracker.check { tracker in
      let state = ObservableState(tracker.track(Reentrant(0)))
      let observers = [handOut.observe(state), handOut.observe(state)]
      #expect(await observers[0].next()?.number == 0)
      for number in 1...100 { state.send(tracker.track(Reentrant(number))) }
      #expect(tracker.survivors.count == 1)
      #expect(await observers[1].next()?.number == 100)
    }
  }

  @Test("at rest every observer has seen the newest value, however it reads", arguments: HandOut.allCases)
  func lastValueIsNeverLost(handOut: HandOut) async throws {
    let state = ObservableState(0)
    let recorders = [BufferingPolicy.latest, .bounded(1, dropping: .oldest), .unbounded].map {
      StateRecorder(handOut.observe(state, $0))
    }
    for value in 1...1_000 { state.send(value) }
    for recorder in recorders { try await recorder.first { $0 == 1_000 } }
    #expect(recorders[2].states == Array(0...1_000))
  }

  @Test("equal values are handed on", arguments: HandOut.allCases, BufferingPolicy.kinds)
  func equalValues(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(7)
    let observer = handOut.observe(state, buffering)
    for _ in 1...3 {
      #expect(await observer.next() == 7)
      state.send(7)
    }
    #expect(await observer.next() == 7)
  }

  @Test("the snapshot agrees with what the streams say", arguments: HandOut.allCases, BufferingPolicy.kinds)
  func snapshot(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    let observer = handOut.observe(state, buffering)
    for value in 1...10 {
      #expect(await observer.next() == state.value)
      state.send(value)
      #expect(state.value == value)
    }
  }

  @Test("all kinds of observers of one state see the same order")
  func oneOrderForAllKinds() async {
    let state = ObservableState(0)
    let streams = BufferingPolicy.kinds.flatMap {
      [HandOut.stream.observe(state, $0), HandOut.elements.observe(state, $0)]
    }
    for value in 1...10 { state.send(value) }
    state.finish()
    for stream in streams {
      let seen = await stream.rest()
      #expect(seen == [10] || seen == Array(0...10))
    }
  }

  @Test("an observer that waits again and again does so with one and the same waiter")
  func waitersAreUsedAgain() async throws {
    let state = ObservableState(0)
    let values = state.values()
    let recorder = StateRecorder(values)
    for value in 1...20 {
      try await until { state.parkedCount == 1 }
      state.send(value)
    }
    try await recorder.waitForStates(21)
    try await until { state.parkedCount == 1 }
    guard case .latest(let observer) = values.source else {
      Issue.record("not an observer of the latest")
      return
    }
    let (spare, isOut) = state.storage.guarded.withLock { _ in
      (observer.waiters.others.count, observer.waiters.primaryIsOut)
    }
    #expect((spare, isOut) == (0, true))
  }

  @Test("a value that is there is read from the concrete sequence without leaving the actor")
  func readsWithoutSuspending() async {
    let reader = Reader()
    #expect(await reader.wasInterruptedWhileReading() == false)
  }

  private actor Reader {
    private var interruptions = 0

    func wasInterruptedWhileReading() async -> Bool {
      let state = ObservableState(0)
      let (latest, all) = (state.values(), state.values(.unbounded))
      let interruption = Task { interruptions += 1 }
      for value in 1...100 {
        #expect(await latest.next() == value - 1)
        #expect(await all.next() == value - 1)
        state.send(value)
      }
      let wasInterrupted = interruptions > 0
      await interruption.value
      return wasInterrupted
    }
  }

  @Test(
    "an iterator may be asked without saying from where", arguments: [BufferingPolicy.latest, .unbounded])
  func plainNext(buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    var iterator = state.values(buffering).makeAsyncIterator()
    #expect(await iterator.next() == 0)
    state.send(1)
    #expect(await iterator.next() == 1)
    state.finish()
    #expect(await iterator.next() == nil)
  }
}

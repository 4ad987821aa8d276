import Synchronization
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsTesting
@testable import AsyncViewModelsUI

@Suite("StateStore: what its observers see", .timeLimit(.minutes(5)), .endsWaits)
struct StateStoreTests {
  /// Owns a state and changes it in its own isolation.
  private actor Owner {
    nonisolated let state = StateStore(0)

    func send(_ value: Int) { state.send(value) }
  }

  @Test(
    "the first value is the one that is current when the observer is created",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func firstValue(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    state.send(1)
    #expect(await form.observe(state, buffering).next() == 1)
  }

  @Test(
    "an observer does not miss a value that is sent between its creation and its first read",
    arguments: ObserverForm.allCases)
  func nothingMissedAfterCreation(form: ObserverForm) async {
    let owner = Owner()
    let (latest, all) = (form.observe(owner.state), form.observe(owner.state, .unbounded))
    await owner.send(1)
    await owner.send(2)
    #expect(await latest.next() == 2)
    #expect(await all.next(3) == [0, 1, 2])
  }

  @Test(
    "a waiting observer receives each value when it is sent", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func everyValueToAWaitingObserver(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let state = StateStore(0)
    let recorder = StateRecorder(form.observe(state, buffering))
    for value in 1...20 {
      try await until { state.waitingCount == 1 }
      state.send(value)
    }
    #expect(try await recorder.waitForStates(21) == Array(0...20))
  }

  @Test(
    "a slow observer continues with the latest value and sees no value twice",
    arguments: ObserverForm.allCases)
  func conflation(form: ObserverForm) async {
    let state = StateStore(0)
    let observer = form.observe(state)
    #expect(await observer.next() == 0)
    for value in 1...100 { state.send(value) }
    #expect(await observer.next() == 100)
    state.send(101)
    #expect(await observer.next() == 101)
    state.finish()
    #expect(await observer.next() == nil)
  }

  @Test(
    "an observer that does not read delays neither the sender nor the other observers",
    arguments: ObserverForm.allCases)
  func idleObserversDelayNothing(form: ObserverForm) async {
    let state = StateStore(0)
    let idle = BufferingPolicy.kinds.map { form.observe(state, $0) }
    let reading = form.observe(state)
    for value in 1...10 {
      state.send(value)
      #expect(await reading.next() == value)
    }
    withExtendedLifetime(idle) {}
  }

  @Test(
    "observers of the latest value keep no history while they do not read", arguments: ObserverForm.allCases)
  func constantMemory(form: ObserverForm) async throws {
    try await LeakTracker.check { tracker in
      let state = StateStore(tracker.track(Reentrant(0)))
      let observers = [form.observe(state), form.observe(state)]
      #expect(await observers[0].next()?.number == 0)
      for number in 1...100 { state.send(tracker.track(Reentrant(number))) }
      #expect(tracker.survivors.count == 1)
      #expect(await observers[1].next()?.number == 100)
    }
  }

  @Test(
    "an observer that does not drop the newest values receives the last value",
    arguments: ObserverForm.allCases)
  func lastValueIsNeverLost(form: ObserverForm) async throws {
    let state = StateStore(0)
    let recorders = [BufferingPolicy.latest, .bounded(1), .unbounded].map {
      StateRecorder(form.observe(state, $0))
    }
    for value in 1...1_000 { state.send(value) }
    for recorder in recorders { try await recorder.first { $0 == 1_000 } }
    #expect(recorders[2].states == Array(0...1_000))
  }

  @Test(
    "a value that equals the previous value is delivered, too", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func equalValues(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(7)
    let observer = form.observe(state, buffering)
    for _ in 1...3 {
      #expect(await observer.next() == 7)
      state.send(7)
    }
    #expect(await observer.next() == 7)
  }

  @Test(
    "an observer reads the same value that `value` returns", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func snapshot(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    let observer = form.observe(state, buffering)
    for value in 1...10 {
      #expect(await observer.next() == state.value)
      state.send(value)
      #expect(state.value == value)
    }
  }

  @Test("observers with different policies see the same order")
  func oneOrderForAllKinds() async {
    let state = StateStore(0)
    let streams = BufferingPolicy.kinds.flatMap {
      [ObserverForm.stream.observe(state, $0), ObserverForm.elements.observe(state, $0)]
    }
    for value in 1...10 { state.send(value) }
    state.finish()
    for stream in streams {
      let seen = await stream.rest()
      #expect(seen == [10] || seen == Array(0...10))
    }
  }

  @Test("an observer reuses one waiter for all its waits")
  func waitersAreReused() async throws {
    let state = StateStore(0)
    let values = state.values()
    let recorder = StateRecorder(values)
    for value in 1...20 {
      try await until { state.waitingCount == 1 }
      state.send(value)
    }
    try await recorder.waitForStates(21)
    try await until { state.waitingCount == 1 }
    guard case .latest(let observer) = values.source else {
      Issue.record("not an observer of the latest value")
      return
    }
    let (spare, isOut) = state.storage.guarded.withLock { _ in
      (observer.waiters.others.count, observer.waiters.primaryIsOut)
    }
    #expect((spare, isOut) == (0, true))
  }

  @Test("a sequence from `values()` reads an available value without leaving the actor")
  func readsWithoutSuspending() async {
    let reader = Reader()
    #expect(await reader.wasInterruptedWhileReading() == false)
  }

  private actor Reader {
    private var interruptions = 0

    func wasInterruptedWhileReading() async -> Bool {
      let state = StateStore(0)
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
    "an iterator's next() without an isolation parameter returns the values and then the end",
    arguments: [BufferingPolicy.latest, .unbounded])
  func plainNext(buffering: BufferingPolicy) async {
    let state = StateStore(0)
    var iterator = state.values(buffering).makeAsyncIterator()
    #expect(await iterator.next() == 0)
    state.send(1)
    #expect(await iterator.next() == 1)
    state.finish()
    #expect(await iterator.next() == nil)
  }

  @Test("a state is a state source: bindings, mirrors and generic code take it")
  @MainActor
  func stateSource() async throws {
    func shown<State>(of source: some StateSource<State>) -> State { source.state }
    let state = StateStore(1)
    #expect(shown(of: state) == 1)
    #expect(state.store === state)
    let (bindings, screen, mirror) = (ScreenBindings(), Tally(), StateMirror(state))
    bindings.observe(state, on: screen) { screen, _ in screen.increment() }
    state.send(2)
    try await until { screen.count > 0 && mirror.value == 2 }
    withExtendedLifetime(bindings) {}
  }
}

import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

/// `observe(on:)` of a view model or a state, which waits for changes without a task.
@Suite("observe(on:) of a state", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct MainActorObservationTests {
  @MainActor
  private final class Screen {
    private(set) var shown: [Int] = []
    var observation: CancellationToken?
    private let log: Notes?

    init(log: Notes? = nil) { self.log = log }

    func show(_ value: Int) {
      shown.append(value)
      log?.add("\(value)")
    }
  }

  @Test("the body receives the current state in a later turn, and then the latest state after each change")
  func states() async throws {
    let (model, screen) = (StateModel(1), Screen())
    let token = model.observe(on: screen) { screen, value in
      MainActor.assertIsolated()
      screen.show(value)
    }
    model.send(2)
    #expect(screen.shown == [])
    try await until { screen.shown == [2] }
    for value in 3...5 { model.send(value) }
    try await until { screen.shown == [2, 5] }
    for value in 6...20 {
      await Task.detached { model.send(value) }.value
      try await until { screen.shown.last == value }
    }
    #expect(screen.shown == [2, 5] + Array(6...20))
    token.cancel()
  }

  @Test("a body that changes the state is called again, with the last change, in a later turn")
  func changeInTheBody() async throws {
    let (state, screen) = (StateStore(0), Screen())
    var isInTheBody = false
    let token = state.observe(on: screen) { screen, value in
      #expect(!isInTheBody)
      isInTheBody = true
      screen.show(value)
      if value < 6 { for next in value + 1...value + 3 { state.send(next) } }
      // The main actor runs its jobs in order. So this job runs before the next call of the body, unless that call is in
      // the same turn.
      Task { isInTheBody = false }
    }
    try await until { screen.shown.last == 6 }
    #expect(screen.shown == [0, 3, 6])
    token.cancel()
  }

  @Test("no task waits for changes: there is one observer, and it waits in the list of the state")
  func noTask() async throws {
    try await LiveObjects.scoped { liveObjects in
      let (state, screen) = (StateStore(0), Screen())
      let token = state.observe(on: screen) { $0.show($1) }
      try await until { state.waitingCount == 1 }
      #expect(state.observerCount == 1)
      if LiveObjects.areCounted {
        #expect(liveObjects.count[.task] == 0)
        #expect(liveObjects.count[.observer] == 1)
      }
      token.cancel()
    }
  }

  @Test("the objects that a body creates count in the scope of the observation, which ends at its end")
  func liveObjects() async throws {
    try await LiveObjects.scoped { liveObjects in
      let (state, screen, streams) = (StateStore(0), Screen(), Holder<AsyncStream<Int>>())
      let token = state.observe(on: screen) { _, _ in streams.set(state.states()) }
      try await until { streams.value != nil }
      if LiveObjects.areCounted { #expect(liveObjects.count[.observer] == 2) }
      streams.clear()
      state.finish()
      try await until { state.observerCount == 0 }
      #expect(liveObjects.count[.observer] == 0)
      token.cancel()
    }
  }

  @Test(
    "the captures of a body are released under no lock: their deinit can use the state",
    arguments: [true, false])
  func releasedCaptures(onTheMainActor: Bool) async throws {
    let (state, screen, log) = (StateStore(0), Screen(), Notes())
    func observe() -> CancellationToken {
      let other = state.observe(on: screen) { _, _ in }
      let captured = Reentrant(0) {
        state.send(state.value + 1)
        other.cancel()
        log.add("\(state.observerCount)")
      }
      return state.observe(on: screen) { screen, value in screen.show(value + captured.number) }
    }
    let token = observe()
    try await until { state.waitingCount == 2 }
    if onTheMainActor { token.cancel() } else { await Task.detached { token.cancel() }.value }
    #expect(log.all == ["0"])
    #expect(state.value == 1)
  }

  @Test("the end of a state releases the captures of a body under no lock: their deinit can use the state")
  func releasedByTheState() async throws {
    let (state, screen, log) = (StateStore(1), Screen(), Notes())
    func observe() -> CancellationToken {
      let captured = Reentrant(0) { log.add("\(state.value), \(state.observerCount)") }
      return state.observe(on: screen) { screen, value in screen.show(value + captured.number) }
    }
    let token = observe()
    try await until { state.waitingCount == 1 }
    await Task.detached { state.finish() }.value
    #expect(log.all == ["1, 0"])
    token.cancel()
  }

  @Test("the observation ends with its view model, after the last state")
  func endsWithTheModel() async throws {
    let (screen, captured) = (Screen(), LeakTracker())
    let token = Holder<CancellationToken>()
    do {
      let model = captured.track(StateModel(1))
      let object = captured.track(Reentrant(0))
      token.set(model.observe(on: screen) { screen, value in screen.show(value + object.number) })
      try await until { screen.shown == [1] }
      model.send(2)
    }
    try await captured.assertAllReleased()
    #expect(screen.shown == [1, 2])
    token.clear()
  }

  @Test("an observation of a finished state ends after its first value")
  func finished() async throws {
    let (state, screen) = (StateStore(7), Screen())
    state.finish()
    let token = state.observe(on: screen) { $0.show($1) }
    #expect(state.observerCount == 1)
    try await until { state.observerCount == 0 }
    #expect(screen.shown == [7])
    token.cancel()
  }

  @Test("the end of a state ends a waiting observation at once, without a task")
  func endsAtOnce() async throws {
    let (state, screen) = (StateStore(0), Screen())
    let token = state.observe(on: screen) { $0.show($1) }
    try await until { screen.shown == [0] }
    state.finish()
    #expect(state.observerCount == 0)
    token.cancel()
  }

  @Test("the end of a state releases what the observation keeps, while the token is kept")
  func releasedAtTheEnd() async throws {
    let screen = Screen()
    let token = Holder<CancellationToken>()
    try await LeakTracker.check { tracker in
      let state = StateStore(tracker.track(Reentrant(1)))
      let object = tracker.track(Reentrant(2))
      token.set(state.observe(on: screen) { screen, value in screen.show(value.number + object.number) })
      try await until { screen.shown == [3] }
    }
    token.clear()
  }

  @Test(
    "the observation ends when its token is cancelled or dropped, and releases its body",
    arguments: [true, false])
  func endsWithTheToken(byCancelling: Bool) async throws {
    let (state, screen, captured) = (StateStore(0), Screen(), LeakTracker())
    var token: CancellationToken?
    do {
      let object = captured.track(Reentrant(0))
      token = state.observe(on: screen) { screen, value in screen.show(value + object.number) }
    }
    try await until { state.waitingCount == 1 }
    if byCancelling { token?.cancel() } else { token = nil }
    #expect(state.observerCount == 0)
    #expect(state.waitingCount == 0)
    try await captured.assertAllReleased()
    state.send(1)
    try await emptyTurns()
    #expect(screen.shown == [0])
    withExtendedLifetime(token) {}
  }

  @Test("after a cancel on the main actor, the body does not run for a change that was already announced")
  func nothingAfterCancel() async throws {
    let (state, screen) = (StateStore(0), Screen())
    let first = state.observe(on: screen) { $0.show($1) }
    first.cancel()
    try await emptyTurns()
    #expect(screen.shown == [])
    let second = state.observe(on: screen) { $0.show($1) }
    try await until { state.waitingCount == 1 }
    state.send(1)
    second.cancel()
    try await emptyTurns()
    #expect(screen.shown == [0])
    #expect(state.observerCount == 0)
  }

  @Test("a body can cancel its own token", arguments: [true, false])
  func cancelInTheBody(afterAChange: Bool) async throws {
    let (state, screen, token) = (StateStore(0), Screen(), Holder<CancellationToken>())
    token.set(
      state.observe(on: screen) { screen, value in
        screen.show(value)
        if afterAChange { state.send(value + 1) }
        token.clear()
      })
    try await until { state.observerCount == 0 }
    try await emptyTurns()
    #expect(screen.shown == [0])
    #expect(state.waitingCount == 0)
  }

  @Test("the observation does not keep its owner alive and ends with an owner that stores the token")
  func endsWithTheOwner() async throws {
    let state = StateStore(0)
    try await LeakTracker.check { tracker in
      let screen = tracker.track(Screen())
      screen.observation = state.observe(on: screen) { $0.show($1) }
      try await until { state.waitingCount == 1 }
    }
    #expect(state.observerCount == 0)
    #expect(state.waitingCount == 0)
  }

  @Test("if the token outlives the owner, the observation ends at the next change")
  func tokenOutlivesTheOwner() async throws {
    let (state, log, token) = (StateStore(0), Notes(), Holder<CancellationToken>())
    try await LeakTracker.check { tracker in
      let screen = tracker.track(Screen(log: log))
      token.set(state.observe(on: screen) { $0.show($1) })
      try await until { state.waitingCount == 1 }
    }
    #expect(state.observerCount == 1)
    state.send(1)
    try await until { state.observerCount == 0 }
    #expect(log.all == ["0"])
    token.clear()
  }

  @Test("an owner whose last reference the body drops is released after the body")
  func ownerDroppedInTheBody() async throws {
    let (state, tracker, owner) = (StateStore(0), LeakTracker(), Holder<Screen>())
    do {
      let screen = tracker.track(Screen())
      owner.set(screen)
      screen.observation = state.observe(on: screen) { screen, value in
        owner.clear()
        screen.show(value)
      }
    }
    try await tracker.assertAllReleased()
    #expect(state.observerCount == 0)
  }

  @Test("the last value arrives, however sends, cancellations and the end of the state overlap")
  func concurrentChanges() async throws {
    for round in 1...50 {
      let state = StateStore(0)
      let screens = (0..<4).map { _ in Screen() }
      var tokens = screens.map { screen in state.observe(on: screen) { $0.show($1) } }
      let leaving = tokens.removeLast()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            for _ in 1...100 {
              state.update { $0 += 1 }
              await Task.yield()
            }
          }
        }
        group.addTask {
          for _ in 0..<round { await Task.yield() }
          leaving.cancel()
        }
      }
      if round % 2 == 0 { state.finish() }
      try await until { screens.dropLast().allSatisfy { $0.shown.last == 200 } }
      for screen in screens { #expect(screen.shown == Set(screen.shown).sorted()) }
      let left = round % 2 == 0 ? 0 : 3
      try await until { state.observerCount == left }
      for token in tokens { token.cancel() }
      #expect(state.observerCount == 0)
      #expect(state.waitingCount == 0)
    }
  }

  @Test("bindings observe a view model until they are released")
  func bindings() async throws {
    let (model, screen) = (StateModel(0), Screen())
    var bindings: ScreenBindings? = ScreenBindings()
    bindings?.observe(model, on: screen) { $0.show($1) }
    try await until { model.store.waitingCount == 1 }
    model.send(1)
    try await until { screen.shown == [0, 1] }
    bindings = nil
    #expect(model.store.observerCount == 0)
  }

  private actor Follower {
    private(set) var shown: [Int] = []
    private var observation: CancellationToken?

    func follow(_ model: StateModel<Int>, pacing: FramePacing? = nil) {
      observation = model.observe(on: self, pacing: pacing) { follower, value in
        follower.shown.append(value)
      }
    }
  }

  @Test("an actor can observe a view model in the same way")
  func actorAsOwner() async throws {
    let (model, follower) = (StateModel(0), Follower())
    await follower.follow(model)
    try await until { model.store.waitingCount == 1 }
    model.send(1)
    try await until { model.store.waitingCount == 1 }
    #expect(await follower.shown == [0, 1])
  }

  @Test("an actor can observe a view model at most once in each frame")
  func actorWithAPacing() async throws {
    let (clock, model, follower) = (VirtualClock(), StateModel(0), Follower())
    await follower.follow(model, pacing: .frames(perSecond: 60, clock: clock))
    try await until { model.store.waitingCount == 1 }
    for value in 1...3 {
      model.send(value)
      await clock.waitForSleepers(1)
    }
    clock.advance(by: .milliseconds(17))
    try await until { model.store.waitingCount == 1 }
    #expect(await follower.shown == [0, 3])
  }

  /// Returns when the jobs of the main actor that are enqueued now have run.
  private func emptyTurns() async throws {
    for _ in 0..<3 { await Task { @MainActor in }.value }
  }
}

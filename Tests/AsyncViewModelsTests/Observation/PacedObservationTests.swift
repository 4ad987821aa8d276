import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

/// What a paced observation costs its owner, what it keeps alive, and the objects that use a pacing.
@Suite("FramePacing: observers", .timeLimit(.minutes(5)), .endsWaits)
struct PacedObservationTests {
  /// An actor whose jobs are counted, as a replacement for the main actor.
  private actor CountedOwner {
    nonisolated let executor = JobCountingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    private(set) var shown: [Int] = []
    private var observation: CancellationToken?

    func show(_ value: Int) { shown.append(value) }

    func follow(_ values: AsyncStream<Int>) {
      observation = values.observe(on: self) { owner, value in owner.show(value) }
    }

    /// Reads in a task of this actor, as `observe(on:)` does for an owner on the main actor.
    func read(_ values: AsyncStream<Int>) {
      let task = Task { for await value in values { show(value) } }
      observation = CancellationToken(onCancel: task.cancel)
    }
  }

  @Test("a change while a frame is awaited runs nothing on the owner's executor", arguments: [true, false])
  func jobs(byObserving: Bool) async throws {
    let (clock, state, owner) = (VirtualClock(), StateStore(0), CountedOwner())
    let stream = state.states(pacing: .frames(perSecond: 60, clock: clock))
    if byObserving { await owner.follow(stream) } else { await owner.read(stream) }
    var jobsOfAFrame: [Int] = []
    for frame in 1...10 {
      try await until { state.waitingCount == 1 }
      let before = owner.executor.jobCount
      state.send(frame * 1_000)
      await clock.waitForSleepers(1)
      for value in 1..<1_000 {
        state.send(frame * 1_000 + value)
        #expect(state.waitingCount == 0)
      }
      #expect(owner.executor.jobCount == before, "nothing runs on the owner before the frame")
      clock.advance(by: .milliseconds(17))
      try await until { state.waitingCount == 1 }
      jobsOfAFrame.append(owner.executor.jobCount - before)
    }
    #expect(jobsOfAFrame == Array(repeating: jobsOfAFrame[0], count: 10))
    #expect(jobsOfAFrame[0] <= 2)
    #expect(await owner.shown == [0] + (1...10).map { $0 * 1_000 + 999 })
  }

  @Test("a paced observation keeps neither its owner nor its view model alive, even while a value waits")
  func ownership() async throws {
    let clock = VirtualClock()
    try await LeakTracker.check { tracker in
      let model = tracker.track(StateModel(0))
      let owner = tracker.track(CountedOwner())
      await owner.follow(model.states(pacing: .frames(perSecond: 60, clock: clock)))
      try await until { model.store.waitingCount == 1 }
      model.send(1)
      await clock.waitForSleepers(1)
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "after the view model is deallocated, the value that waits is delivered in its frame, and then the end")
  func deallocatedModel() async throws {
    let clock = VirtualClock()
    let recorder = try await LeakTracker.check { tracker in
      let model = tracker.track(StateModel(0))
      let recorder = StateRecorder(model.states(pacing: .frames(perSecond: 60, clock: clock)))
      try await until { model.store.waitingCount == 1 }
      model.send(1)
      await clock.waitForSleepers(1)
      model.send(2)
      return recorder
    }
    #expect(recorder.states == [0])
    clock.advance(by: .milliseconds(17))
    #expect(try await recorder.waitForEnd() == [0, 2])
  }

  @MainActor
  private final class Screen {
    private(set) var shown: [Int] = []
    func show(_ value: Int) { shown.append(value) }
  }

  @Test("screen bindings call their body at most once in each frame, and not after the screen has ended")
  @MainActor
  func screenBindings() async throws {
    let (clock, model, screen) = (VirtualClock(), StateModel(0), Screen())
    var bindings: ScreenBindings? = ScreenBindings()
    bindings?.observe(model.states(pacing: .frames(perSecond: 60, clock: clock)), on: screen) { $0.show($1) }
    try await until { model.store.waitingCount == 1 }
    #expect(screen.shown == [0])
    for value in 1...100 {
      model.send(value)
      await clock.waitForSleepers(1)
    }
    clock.advance(by: .milliseconds(17))
    try await until { model.store.waitingCount == 1 }
    #expect(screen.shown == [0, 100])
    model.send(101)
    await clock.waitForSleepers(1)
    bindings = nil
    try await until { model.store.observerCount == 0 }
    #expect(screen.shown == [0, 100] && clock.sleeperCount == 0)
  }

  @Test("an observed state notifies at most once in each frame, but its value is always the current one")
  @MainActor
  func observedState() async throws {
    let (clock, model) = (VirtualClock(), StateModel(0))
    let pacing = FramePacing.frames(perSecond: 60, clock: clock)
    let whole = StateMirror(model, pacing: pacing)
    let half = StateMirror(model, pacing: pacing, of: { $0 / 2 })
    let parity = StateMirror(model, pacing: pacing, of: { $0 }) { $0 % 2 == $1 % 2 }
    let (wholes, halves, parities) = (SeenValues(of: whole), SeenValues(of: half), SeenValues(of: parity))
    try await until { model.store.waitingCount == 3 }
    for value in 1...101 {
      model.send(value)
      #expect(whole.value == value && half.value == value / 2 && parity.value == value)
      await clock.waitForSleepers(3)
    }
    clock.advance(by: .milliseconds(17))
    try await until { model.store.waitingCount == 3 }
    // The stream yields the first value again.
    #expect(wholes.values == [0, 0, 101])
    #expect(halves.values == [0, 50])
    #expect(parities.values == [0, 101])
  }

  @Test("the state of an observed view model changes at most once in each frame, and at once in `perform`")
  @MainActor
  func observedViewModel() async throws {
    let (clock, model) = (VirtualClock(), StateModel(0))
    let observed = ObservedViewModel(model, pacing: .frames(perSecond: 60, clock: clock))
    try await until { model.store.waitingCount == 1 }
    for value in 1...100 {
      model.send(value)
      await clock.waitForSleepers(1)
      #expect(observed.state == 0)
    }
    observed.perform { $0.send(200) }
    #expect(observed.state == 200)
    model.send(201)
    clock.advance(by: .milliseconds(17))
    try await until { model.store.waitingCount == 1 }
    #expect(observed.state == 201)
  }
}

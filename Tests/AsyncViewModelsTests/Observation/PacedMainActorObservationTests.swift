import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// `observe(on:pacing:)` of a view model.
@Suite("observe(on:pacing:) of a state", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct PacedMainActorObservationTests {
  @MainActor
  private final class Screen {
    private(set) var shown: [Int] = []
    func show(_ value: Int) { shown.append(value) }
  }

  private let clock = VirtualClock()
  private let model = StateModel(0)
  private let screen = Screen()

  private func observe() -> CancellationToken {
    model.observe(on: screen, pacing: .frames(perSecond: 60, clock: clock)) { $0.show($1) }
  }

  @Test("the first state is shown at once, and later ones at most once in each frame")
  func frames() async throws {
    let token = observe()
    try await until { model.store.waitingCount == 1 }
    #expect(screen.shown == [0])
    for frame in 1...3 {
      for value in 1...100 {
        model.send(100 * frame + value)
        await clock.waitForSleepers(1)
        #expect(model.store.waitingCount == 0, "changes wake no observer that waits for its frame")
      }
      clock.advance(by: .milliseconds(17))
      try await until { model.store.waitingCount == 1 }
      #expect(clock.sleeperCount == 0)
    }
    #expect(screen.shown == [0, 200, 300, 400])
    clock.advance(by: .milliseconds(17))
    model.send(500)
    try await until { screen.shown.last == 500 }
    #expect(clock.sleeperCount == 0, "the first change in a later frame needs no timer")
    token.cancel()
  }

  @Test("a cancelled observation drops the state that waits, and its timer")
  func cancelled() async throws {
    let token = observe()
    try await until { model.store.waitingCount == 1 }
    model.send(1)
    await clock.waitForSleepers(1)
    token.cancel()
    try await until { clock.sleeperCount == 0 }
    #expect(screen.shown == [0])
    #expect(model.store.observerCount == 0)
  }

  @Test("a body can cancel its own paced observation, or end the state")
  func endInTheBody() async throws {
    let token = Holder<CancellationToken>()
    token.set(
      model.observe(on: screen, pacing: .frames(perSecond: 60, clock: clock)) { [model] screen, value in
        screen.show(value)
        model.send(value + 1)
        token.clear()
      })
    try await until { model.store.observerCount == 0 }
    let other = model.observe(on: screen, pacing: .frames(perSecond: 60, clock: clock)) { [model] in
      $0.show($1)
      model.store.finish()
    }
    try await until { model.store.observerCount == 0 }
    #expect(screen.shown == [0, 1])
    #expect(clock.sleeperCount == 0)
    other.cancel()
  }

  @Test("if the state ends while a value waits, the value is shown in its frame")
  func finished() async throws {
    let token = observe()
    try await until { model.store.waitingCount == 1 }
    model.send(1)
    await clock.waitForSleepers(1)
    model.store.finish()
    #expect(screen.shown == [0])
    clock.advance(by: .milliseconds(17))
    try await until { model.store.observerCount == 0 }
    #expect(screen.shown == [0, 1])
    #expect(clock.sleeperCount == 0)
    token.cancel()
  }

  @Test("the end of a state without a waiting value ends the observation at once, without a timer")
  func finishedAtRest() async throws {
    let token = observe()
    try await until { model.store.waitingCount == 1 }
    model.store.finish()
    #expect(model.store.observerCount == 0)
    #expect(clock.sleeperCount == 0)
    token.cancel()
  }

  @Test("a value that waits for its frame keeps neither the view model nor the screen alive")
  func ownership() async throws {
    let clock = clock
    try await LeakTracker.check { tracker in
      let (model, screen) = (tracker.track(StateModel(0)), tracker.track(Screen()))
      let token = model.observe(on: screen, pacing: .frames(perSecond: 60, clock: clock)) { $0.show($1) }
      try await until { model.store.waitingCount == 1 }
      model.send(1)
      await clock.waitForSleepers(1)
      token.cancel()
    }
    #expect(clock.sleeperCount == 0)
  }
}

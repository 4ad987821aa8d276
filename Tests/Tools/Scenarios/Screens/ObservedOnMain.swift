import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let observedOnMain = Scenario(
    "screens/observed-on-main",
    """
    `observe` of a view model never runs its body within itself, twice in a turn, or after a cancellation on the main \
    actor; the screen gets the states in order and the last one, and no observer is left behind
    """, tasks: 3
  ) { world in
    try await show(in: world, pacing: nil)
  }

  static let pacedOnMain = Scenario(
    "screens/paced-on-main",
    """
    `observe` of a view model with a pacing shows the first state at once, never two states in one frame, and the last \
    state; a cancelled or ended observation leaves no timer behind
    """, tasks: 4
  ) { world in
    try await show(in: world, pacing: .frames(perSecond: 10, clock: world.clock))
    world.expectEqual(world.clock.sleeperCount, 0, "timers left:")
  }

  private final class Model: StateSource {
    let store = StateStore(0)
  }

  @MainActor
  private final class Screen {
    let seen = EventLog<Int>()
    let frames = EventLog<Int>()
    private let world: SimulatedWorld
    private let model: Model
    private var isInTurn = false
    /// Whether the next call of the body changes the state.
    private var changesTheState: Bool
    var isObserving = false

    init(_ model: Model, in world: SimulatedWorld) {
      self.world = world
      self.model = model
      changesTheState = world.flip()
    }

    func show(_ value: Int, isPaced: Bool) {
      world.expect(isObserving, "a body outside the observation")
      world.expect(!isInTurn, "two bodies in one turn")
      isInTurn = true
      // The main actor runs this job before a later call of the body, unless that call is in this turn.
      Task { isInTurn = false }
      seen.append(value)
      if changesTheState {
        changesTheState = false
        model.store.update { $0 += 1 }
      }
      guard isPaced else { return }
      let frame = Int(world.clock.now.offset / .milliseconds(100))
      world.expect(frames.values.last != frame, "two states in frame \(frame)")
      frames.append(frame)
    }
  }

  @MainActor
  private static func show(in world: SimulatedWorld, pacing: FramePacing?) async throws {
    let model = Model()
    let (store, screen) = (model.store, Screen(model, in: world))
    let isPaced = pacing != nil
    let token = model.observe(on: screen, pacing: pacing) { $0.show($1, isPaced: isPaced) }
    screen.isObserving = true
    let isEnded = world.flip()
    let sender = world.spawn("sender") {
      for _ in 1...3 {
        store.update { $0 += 1 }
        if isPaced { try await world.clock.sleep(for: .milliseconds(world.choose(from: [30, 0, 130]))) }
        await Task.yield()
      }
      if isEnded { store.finish() }
    }
    let isLeft = world.flip()
    if isLeft {
      for _ in 0..<world.choose(4) { await Task.yield() }
      if isPaced { try await world.clock.sleep(for: .milliseconds(world.choose(from: [0, 50, 150]))) }
      token.cancel()
      screen.isObserving = false
      world.expectEqual(store.observerCount, 0, "observers after a cancellation:")
    }
    await sender.waitForEnd()
    await world.settle()
    if !isLeft { world.expectEqual(screen.seen.values.last, store.value, "the last state:") }
    world.expectEqual(screen.seen.values, Array(Set(screen.seen.values)).sorted(), "in order:")
    if isEnded { world.expectEqual(store.observerCount, 0, "observers of an ended state:") }
    token.cancel()
    await world.settle()
    world.expectEqual(store.observerCount, 0, "observers left:")
  }
}

import AsyncViewModels
import AsyncViewModelsSimulation

/// A view model whose work may ignore cancellation. For each commit, it records whether the run was the newest.
actor SlotOwner: ViewModelActor {
  struct Commit: Sendable {
    let run: Int
    let isCancelled: Bool
    /// Whether no newer run and no cancel came before the commit.
    let wasNewest: Bool
  }

  struct State: Sendable {
    /// The last run that was started, or the last position that was drawn. `nil` after a cancel.
    var newest: Int?
    var started: [Int] = []
    /// The runs that were started while no other run was running.
    var startedIdle: [Int] = []
    var commits: [Commit] = []
    /// The last position that `drawPosition` returned.
    var position = 0
  }

  nonisolated let modelState: ModelState<State>
  nonisolated let slot: TaskSlot
  private nonisolated let world: SimulatedWorld
  private nonisolated let working = EventLog<Int>()

  init(_ policy: TaskSlot.Policy, _ world: SimulatedWorld) {
    self.world = world
    modelState = ModelState(State(), on: world.isolation)
    slot = TaskSlot(policy)
  }

  /// The largest number of runs that worked at the same time.
  nonisolated var peak: Int { working.peak }
  /// The number of all runs that have started to work.
  nonisolated var begun: Int { working.begun }

  /// Runs work, from any isolation.
  nonisolated func run(_ run: Int) async {
    begin(run)
    await slot.run(on: self, work(run)) { $0.commit(run, $1) }
  }

  /// Records and starts a run on the owner, so that no commit comes between the record and the start.
  func start(_ run: Int) -> TaskSlot.Run {
    begin(run)
    return slot.start(on: self, work(run)) { $0.commit(run, $1) }
  }

  /// Starts work at a position that ``drawPosition(cancels:)`` returned.
  nonisolated func start(at position: Int) -> TaskSlot.Run {
    slot.start(at: position, on: self, work(position)) { $0.commit(position, $1) }
  }

  nonisolated func drawPosition(cancels: Bool = false) -> Int {
    store.update { state in
      state.position += 1
      state.newest = cancels ? nil : state.position
      return state.position
    }
  }

  func cancel() {
    slot.cancel()
    store.update { $0.newest = nil }
  }

  private nonisolated func begin(_ run: Int) {
    let isIdle = !slot.isRunning
    store.update { state in
      state.started.append(run)
      if isIdle { state.startedIdle.append(run) }
      state.newest = run
    }
  }

  private nonisolated func work(_ run: Int) -> @Sendable () async throws -> Int {
    { [world, working] in
      working.begin()
      defer { working.end() }
      if world.flip() {
        await world.faults.deafLatency()
      } else {
        try await world.faults.latency()
      }
      return run
    }
  }

  private func commit(_ run: Int, _ outcome: TaskOutcome<Int>) {
    world.expect(outcome.value ?? run == run, "the value of another run")
    store.update { state in
      state.commits.append(
        Commit(run: run, isCancelled: outcome.value == nil, wasNewest: state.newest == run))
    }
  }
}

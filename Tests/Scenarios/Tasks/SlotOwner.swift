import AsyncViewModels
import AsyncViewModelsSimulation

/// An owner of a slot whose work may ignore cancellation. It records which commits are right.
actor SlotOwner {
  struct Commit: Sendable {
    let run: Int
    /// Whether no newer run and no cancel came before the commit.
    let wasNewest: Bool
    /// The other runs that worked at that moment.
    let others: Int
  }

  private nonisolated let host: ActorHost
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let world: SimulatedWorld
  private let slot: TaskSlot
  private let working = EventLog<Int>()
  private var newest: Int?
  private(set) var started: [Int] = []
  private(set) var commits: [Commit] = []
  private(set) var isCancelled = false

  init(_ policy: TaskSlot.Policy, _ world: SimulatedWorld) {
    self.world = world
    host = ActorHost(world.isolation)
    slot = TaskSlot(policy)
  }

  var isRunning: Bool { slot.isRunning }
  /// The most runs that worked at the same time.
  var peak: Int { working.peak }

  @discardableResult
  func start(_ run: Int) -> Task<Void, Never> {
    started.append(run)
    newest = run
    return slot.run(on: self) { [world, working] in
      working.begin()
      defer { working.end() }
      if world.flip() {
        await world.faults.deafLatency()
      } else {
        try await world.faults.latency()
      }
      return run
    } commit: { owner, outcome in
      let run = outcome.value ?? run
      owner.commits.append(Commit(run: run, wasNewest: owner.newest == run, others: owner.working.current))
    }
  }

  func cancel() {
    slot.cancel()
    newest = nil
    isCancelled = true
  }
}

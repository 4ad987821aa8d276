/// The executor of a host in a world: its jobs run in the order in which they came, each when the world chooses it.
final class SimulatedWorldExecutor: SerialExecutor {
  private let core: SimulatedWorldCore
  let lane: Int

  init(core: SimulatedWorldCore) {
    self.core = core
    lane = core.makeLane()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if core.isCurrent { return core.enqueue(job, lane: lane) }
    core.markLeft(by: JobIdentity(job).task)
  }

  /// Lets `assumeIsolated` accept code that has reached the main actor by the main queue.
  func checkIsolated() {
    precondition(core.blockLane == lane, "not isolated to the actor that is assumed")
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}

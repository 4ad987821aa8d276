/// The executor of an isolation. Its jobs run in the order of arrival, each when the world chooses
/// it.
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

  /// Lets `assumeIsolated` accept blocks that reach the main actor through the main queue.
  func checkIsolated() {
    precondition(
      core.isCurrent && core.heldLanes.contains { $0.lane == lane },
      "assumeIsolated: the running code is not isolated to this actor")
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}

/// The actor of ``SimulatedWorld/isolation``. Its jobs run in the order of arrival, as on the main
/// actor.
actor SimulatedWorldIsolation {
  private nonisolated let executor: SimulatedWorldExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(core: SimulatedWorldCore) {
    executor = core.makeExecutor()
  }
}

/// Takes the jobs of a plain actor, in place of the actor. They run when the world chooses them: in
/// any order, or in the order of their arrival.
final class PlainActorExecutor: SerialExecutor {
  private let core: SimulatedWorldCore
  let address: UInt
  let lane: Int
  /// The executor for jobs that arrive from an actor, and run in the order of their arrival. Nil if
  /// this is that executor.
  let ordered: PlainActorExecutor?

  /// Creates an executor for the actor at an address, or with address and lane 0 for jobs without
  /// an actor.
  init(core: SimulatedWorldCore, address: UInt, lane: Int, isOrdered: Bool = false) {
    ordered = isOrdered ? nil : PlainActorExecutor(core: core, address: address, lane: lane, isOrdered: true)
    self.core = core
    self.address = address
    self.lane = lane
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if core.isCurrent { return core.enqueue(job, hoppingTo: self) }
    core.markLeft(by: JobIdentity(job).task)
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}

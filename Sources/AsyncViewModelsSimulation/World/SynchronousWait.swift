/// A wait in synchronous code, for example in `DispatchSemaphore.wait`, or its interruption. It
/// blocks the thread of its job, and another thread continues the world.
final class SynchronousWait {
  struct Reason {
    /// The call that waits, or the place of the interruption.
    let call: String
    var isInterruption = false
  }

  let reason: Reason
  /// The task or queue that waits.
  let task: Int
  /// The lanes that the waiting job occupies.
  let lanes: [LaneHold]
  /// Whether the waiting job blocks a thread of the concurrency pool.
  let blocksPool: Bool
  let thread: WorldThread
  let deadline: VirtualClock.Instant?
  /// The code that waits, if it is known.
  let code: StepCode?
  private let isMet: () -> Bool

  init(
    reason: Reason, task: Int, lanes: [LaneHold], blocksPool: Bool, thread: WorldThread,
    deadline: VirtualClock.Instant?, code: StepCode?,
    isMet: @escaping () -> Bool
  ) {
    self.reason = reason
    self.task = task
    self.lanes = lanes
    self.blocksPool = blocksPool
    self.thread = thread
    self.deadline = deadline
    self.code = code
    self.isMet = isMet
  }

  func canEnd(at time: VirtualClock.Instant) -> Bool { isMet() || deadline.map { $0 <= time } ?? false }
}

/// A lane that a running job occupies: alone, or beside other shared jobs.
struct LaneHold {
  let lane: Int
  let isShared: Bool
}

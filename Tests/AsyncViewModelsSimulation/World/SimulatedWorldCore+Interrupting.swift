import Foundation

// Interruptions of synchronous code. The interrupted job keeps its thread and its lanes, as a job that waits.

extension SimulatedWorldCore {
  /// The choice of the running job itself.
  static let staying = -1
  /// The number of places in a row that the running job passes, after which another job runs.
  private static let stayLimit = 1_000

  /// Whether the running code can be interrupted within a step.
  var canBeInterrupted: Bool {
    interruptions.includesLocks && thread != nil && !(ready.isEmpty && waits.isEmpty)
  }

  /// Lets the seed choose whether other jobs run before the running code continues.
  ///
  /// - Parameter place: The place in the code, for the timeline.
  func interrupt(_ place: String) {
    guard canBeInterrupted else { return }
    holdCurrentActor()
    stays += 1
    guard let index = pick(staysAllowed: true, staysPreferred: stays <= Self.stayLimit), index != Self.staying
    else { return }
    stays = 0
    next = index
    block(SynchronousWait.Reason(call: place, kind: .interruption), until: nil) { true }
  }

  /// Waits for a lock. Meanwhile, other jobs of the world run.
  ///
  /// - Returns: False if the thread has to wait itself, because no job of the world can hold the lock.
  func waitForLock(in call: String, _ isFree: @escaping () -> Bool) -> Bool {
    guard thread != nil, !waits.isEmpty else { return false }
    // A thread outside the world holds a lock only for a moment.
    for _ in 0..<20 {
      if isFree() { return true }
      sched_yield()
    }
    block(SynchronousWait.Reason(call: call, kind: .lock), until: nil, isFree)
    return true
  }

  /// Waits for a thread outside the world to unlock a lock. Returns false if none does.
  func continueWithFreedLock() -> Bool {
    guard waits.contains(where: { $0.reason.kind == .lock }) else { return false }
    for _ in 0..<limits.patience {
      if waits.contains(where: { $0.canEnd(at: now) }) { return true }
      JobCapture.capturing(for: nil) { _ = usleep(1_000) }
    }
    return false
  }
}

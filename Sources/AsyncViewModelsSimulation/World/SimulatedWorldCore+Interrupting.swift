internal import AsyncViewModelsRuntimeHooks

// Interruptions of synchronous code. The interrupted job keeps its thread and its lanes, as a job
// that waits.

extension SimulatedWorldCore {
  /// The choice of the running job itself.
  static let staying = -1
  /// The number of places in a row that the running job passes, after which another job runs.
  private static let stayLimit = 1_000

  /// Whether the running code can be interrupted at locks and atomic operations.
  var canBeInterrupted: Bool { interruptions.includesLocks && othersCanRun }

  /// Whether other jobs could run before the running code continues.
  private var othersCanRun: Bool { thread != nil && !(ready.isEmpty && waits.isEmpty) }

  /// Lets the seed choose whether other jobs run before the running code continues.
  ///
  /// - Parameter place: The place in the code, for the timeline.
  func interrupt(_ place: String) {
    guard othersCanRun else { return }
    holdCurrentActor()
    stays += 1
    let choice = pick(staysAllowed: true, staysPreferred: stays <= Self.stayLimit)
    publish()
    guard let index = choice, index != Self.staying else { return }
    stays = 0
    next = index
    block(SynchronousWait.Reason(call: place, isInterruption: true), until: nil) { true }
  }

  /// Lets the seed choose whether other jobs run before a call that may wait, also if the call
  /// would not wait now.
  func interrupt(beforeCall call: @autoclosure () -> String) {
    guard othersCanRun else { return }
    InterruptionCapture.atCall { interrupt("before \(call())") }
    if InterruptionCapture.isInitializing { refuseInitialValue(call()) }
  }

  /// Fails the run: the process computes the initial value only once, so no other run can try
  /// another order of this call.
  private func refuseInitialValue(_ call: String) {
    let owner = "the initial value of a global variable (state that outlives the run)"
    leave(.leftTheWorld(name(of: running), call: "\(call) in \(owner)"))
  }

  /// Waits for a lock. Meanwhile, other jobs of the world run.
  ///
  /// - Parameters:
  ///   - owner: The thread that holds the lock, or -1 if it is unknown.
  ///   - timeout: The longest wait in virtual time, or nil to wait without limit.
  /// - Returns: False if this thread has to wait itself, because no job of the world holds the
  ///   lock.
  func waitForLock(
    of owner: Int32, in call: String, timeout: Duration?, _ isFree: @escaping () -> Bool
  ) -> Bool {
    guard let thread, let threads else { return false }
    let anyOwner = Int32(INTERRUPTIONS_ANY_OWNER)
    let others = threads.idle + waits.map(\.thread)
    guard owner == anyOwner || owner == thread.number || others.contains(where: { $0.number == owner }) else {
      return false
    }
    block(SynchronousWait.Reason(call: call), until: timeout.map { due(after: $0) }, isFree)
    return true
  }
}

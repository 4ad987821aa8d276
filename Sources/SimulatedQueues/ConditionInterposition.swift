import AsyncViewModelsSimulation

#if !canImport(Darwin)
  package import Foundation
  import Synchronization

  // Condition variables. The target SimulatedWaits calls these functions.

  /// A job that waits for a condition variable.
  private final class ConditionWaiter: Sendable {
    let condition: UInt
    let world: ObjectIdentifier
    /// Fails the run, because a thread outside the world signals the condition.
    let markLeft: @Sendable () -> Void
    let isWoken = Atomic(false)

    init(condition: UInt, in world: SimulatedWorldQueues) {
      self.condition = condition
      self.world = world.id
      markLeft = world.departureOfRunningTask
    }

    /// The waiters of all worlds.
    static let all = Mutex<[ConditionWaiter]>([])
    static let count = Atomic(0)
  }

  /// Waits in a simulated world until another job signals the condition. Meanwhile, the mutex is
  /// unlocked.
  ///
  /// - Parameter deadline: The time of the wall clock at which the wait ends, or nil.
  /// - Returns: 0, or `ETIMEDOUT`.
  @_cdecl("simulatedConditionWait")
  package func simulatedConditionWait(
    _ condition: UInt, _ mutex: UnsafeMutablePointer<pthread_mutex_t>, _ deadline: UnsafePointer<timespec>?
  ) -> Int32 {
    guard let world = SimulatedWorldQueues.current else { return EINVAL }
    let waiter = ConditionWaiter(condition: condition, in: world)
    ConditionWaiter.all.withLock { $0.append(waiter) }
    ConditionWaiter.count.add(1, ordering: .sequentiallyConsistent)
    unsafe pthread_mutex_unlock(mutex)
    let timeout = unsafe deadline.map { unsafe timeLeft(until: $0.pointee, in: world) }
    world.wait(in: "NSCondition.wait", timeout: timeout) { waiter.isWoken.load(ordering: .acquiring) }
    ConditionWaiter.all.withLock { $0.removeAll { $0 === waiter } }
    ConditionWaiter.count.subtract(1, ordering: .sequentiallyConsistent)
    // Another job may have locked the mutex, and now wait for something else.
    world.wait(in: "NSCondition.wait", timeout: nil) { unsafe isUnlocked(mutex) }
    unsafe pthread_mutex_lock(mutex)
    return waiter.isWoken.load(ordering: .acquiring) ? 0 : ETIMEDOUT
  }

  /// Wakes one or all jobs of this world that wait for the condition. Fails the runs of other
  /// worlds with such jobs.
  @_cdecl("simulatedConditionSignal")
  package func simulatedConditionSignal(_ condition: UInt, _ wakesAll: Bool) {
    guard ConditionWaiter.count.load(ordering: .sequentiallyConsistent) > 0 else { return }
    let world = SimulatedWorldQueues.current?.id
    ConditionWaiter.all.withLock { waiters in
      for waiter in waiters
      where waiter.condition == condition && !waiter.isWoken.load(ordering: .relaxed) {
        guard waiter.world == world else {
          waiter.markLeft()
          continue
        }
        waiter.isWoken.store(true, ordering: .releasing)
        if !wakesAll { return }
      }
    }
  }

  private func isUnlocked(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Bool {
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return false }
    unsafe pthread_mutex_unlock(mutex)
    return true
  }

  /// Rounded to microseconds, because a `Date` is not exact.
  private func timeLeft(until deadline: timespec, in world: SimulatedWorldQueues) -> Duration {
    let deadline = Duration.seconds(deadline.tv_sec) + .nanoseconds(deadline.tv_nsec)
    return max((deadline - world.wallTime).roundedToMicroseconds, .zero)
  }
#endif

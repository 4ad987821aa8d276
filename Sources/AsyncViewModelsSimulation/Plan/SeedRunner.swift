import Dispatch
import Synchronization

/// A thread that runs seeds.
///
/// `@unchecked Sendable`: the thread that started it reads the members after `wake` was signaled,
/// when the runner has ended or crashed.
final class SeedRunner: @unchecked Sendable {
  /// Signaled when the runner has ended, or its thread has crashed.
  let wake: DispatchSemaphore
  /// What the runs since the last report have added up to.
  var statistics = SimulationStatistics()
  /// The seed of the current or last run.
  var seed: UInt64?
  /// The failure that the runner reduces, to report it if the reduction crashes.
  var unreduced: SimulationFailure?
  private var lastProgress = (core: ObjectIdentifier?.none, steps: 0, ticks: 0)
  /// The world of the current or last run.
  private let current = UninterruptedMutex<SimulatedWorldCore?>(nil)
  private let ended = UninterruptedMutex(false)
  private var work: (() -> Void)?

  init(wake: DispatchSemaphore) { self.wake = wake }

  var hasEnded: Bool { ended.withLock(\.self) }

  var crashedCore: SimulatedWorldCore? { current.withLock { $0?.hasCrashed == true ? $0 : nil } }

  /// Runs `work` on a new thread, in a task, so that the worlds inherit the task-local values of
  /// the test.
  func start(_ work: @escaping () -> Void) {
    self.work = work
    _ = Task(executorPreference: NewThreadExecutor()) { [self] in
      performWork()
      end()
    }
  }

  /// Releases the work when it is over. Then the body of the simulation is not used any more, as
  /// the caller expects.
  @inline(never)
  private func performWork() { work.take()?() }

  func begin(_ core: SimulatedWorldCore) { replaceCurrent(by: core) }

  /// Releases the previous world after the lock.
  private func replaceCurrent(by core: SimulatedWorldCore?) {
    withExtendedLifetime(current.withLock { $0 }) { current.withLock { $0 = core } }
  }

  /// The number of calls in a row, with this one, since the world has made no step. 0 if the world
  /// is unknown.
  func ticksWithoutProgress() -> Int {
    guard let core = current.withLock(\.self) else { return 0 }
    let (id, steps) = (ObjectIdentifier(core), core.progress.load(ordering: .acquiring))
    let isSame = lastProgress.core == id && lastProgress.steps == steps
    lastProgress = (id, steps, isSame ? lastProgress.ticks + 1 : 0)
    return lastProgress.ticks
  }

  private func end() {
    replaceCurrent(by: nil)
    ended.withLock { $0 = true }
    wake.signal()
  }

  func takeStatistics() -> SimulationStatistics {
    defer { statistics = SimulationStatistics() }
    return statistics
  }
}

/// The executor that the tasks of a world prefer on Apple platforms.
///
/// From Swift 6.3 on, `Task.yield()` passes its job to the current executor, and no longer to the
/// enqueue hook that ``JobCapture`` installs. An unstructured task does not inherit the preference
/// for this executor. The hook still captures the jobs of such a task, except those that
/// `Task.yield()` and `Task.sleep` enqueue.
///
/// If a task prefers this executor, its jobs on an isolation also run with this executor as their
/// task executor. Otherwise the runtime would enqueue the body of `withCheckedContinuation` on the
/// isolation again. Another job could then run between a check and the `withCheckedContinuation`
/// that relies on the check.
final class SimulatedTaskExecutor: TaskExecutor {
  private let core: SimulatedWorldCore

  init(core: SimulatedWorldCore) { self.core = core }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if core.isCurrent { return core.enqueuePreferring(job) }
    core.markLeft(by: JobIdentity(job).task)
  }
}

/// The executor that the tasks of a world prefer on Apple platforms.
///
/// From runtime 6.3 on, `Task.yield()` passes its job to the current executor, and no longer to the enqueue hook.
/// An unstructured task does not inherit the preference for this executor. The hook still captures the jobs of
/// that task, except those that `Task.yield()` and `Task.sleep` enqueue.
///
/// A job of an actor runs with this executor as its task executor, too. Otherwise the runtime would enqueue the
/// body of `withCheckedContinuation` on the actor again, and another job could run between a check and the
/// suspension that depends on it.
final class SimulatedTaskExecutor: TaskExecutor {
  private let core: SimulatedWorldCore

  init(core: SimulatedWorldCore) { self.core = core }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if core.isCurrent { return core.enqueuePreferring(job) }
    core.markLeft(by: JobIdentity(job).task)
  }
}

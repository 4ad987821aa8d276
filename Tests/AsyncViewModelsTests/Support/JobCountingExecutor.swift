import Dispatch
import Synchronization

/// An executor of an actor that counts the jobs of the actor.
final class JobCountingExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "counted jobs")
  private let jobs = Atomic(0)

  /// The number of jobs that were enqueued.
  var jobCount: Int { jobs.load(ordering: .relaxed) }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.add(1, ordering: .relaxed)
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

import Dispatch

/// Runs a task on a serial queue: each resumption of the task is a block.
///
/// So `queue.sync {}` returns after a task that was resumed before has reached its next suspension or its end. An
/// actor on the queue, such as `QueueIsolation`, does not guarantee this: after a checked continuation, the task
/// runs on the task pool before it returns to the queue.
final class QueueTaskExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

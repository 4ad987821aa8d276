import Dispatch
import Synchronization

/// Counts the jobs of the tasks that prefer it, and runs them on a queue.
final class CountingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "caller")
  private let jobs = Atomic(0)

  var jobCount: Int { jobs.load(ordering: .sequentiallyConsistent) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.add(1, ordering: .sequentiallyConsistent)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Holds the jobs of the tasks that prefer it until they are released, the newest job first. Swift promises no order for tasks
/// on no actor, so this order is allowed.
final class NewestFirstExecutor: TaskExecutor {
  private struct State {
    var held: [UnownedJob] = []
    var isReleased = false
  }

  private let queue = DispatchQueue(label: "newest first")
  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isReleased = state.withLock { state in
      if !state.isReleased { state.held.append(job) }
      return state.isReleased
    }
    if isReleased { run([job]) }
  }

  /// Runs the held jobs. Later jobs run at once.
  func release() {
    run(
      state.withLock { state in
        state.isReleased = true
        defer { state.held = [] }
        return state.held.reversed()
      })
  }

  private func run(_ jobs: [UnownedJob]) {
    queue.async {
      for job in jobs { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

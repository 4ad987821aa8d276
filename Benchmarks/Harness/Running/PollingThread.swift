import Foundation
import Synchronization

/// A thread that runs the tasks which prefer it, and looks for the next one instead of sleeping.
///
/// Tasks that play to each other on the shared pool run on one thread or on two, as the system happens to wake them; that changes from
/// moment to moment, and by more than what is measured. Given a thread each, or one for both, they do what the title says, and as nobody
/// sleeps, no wake-up by the kernel hides what the code costs. After a while without work it does sleep, and takes no core from others.
final class PollingThread: TaskExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isAsleep = false
  }

  private let queue = Mutex(Queue())
  /// Says without the lock whether there is anything to take.
  private let count = Atomic(0)
  private let alarm = DispatchSemaphore(value: 0)

  init(_ name: String) {
    let thread = Thread { [self] in run() }
    thread.name = name
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wasAsleep = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.isAsleep = false }
      return queue.isAsleep
    }
    count.add(1, ordering: .releasing)
    if wasAsleep { alarm.signal() }
  }

  private func run() -> Never {
    var jobs: [UnownedJob] = []
    while true {
      waitForJobs()
      queue.withLock { swap(&$0.jobs, &jobs) }
      count.subtract(jobs.count, ordering: .relaxed)
      for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      jobs.removeAll(keepingCapacity: true)
    }
  }

  private func waitForJobs() {
    for _ in 0..<100_000 where count.load(ordering: .acquiring) > 0 { return }
    let isEmpty = queue.withLock { queue in
      queue.isAsleep = queue.jobs.isEmpty
      return queue.isAsleep
    }
    if isEmpty { alarm.wait() }
  }
}

import Foundation
import Synchronization

/// A thread that runs the tasks which prefer it, and looks for the next one instead of sleeping.
///
/// Tasks that play to each other on the shared pool run on one thread or on two, as the system happens to wake them; that changes from
/// moment to moment, and by more than what is measured. Given a thread each, or one for both, they do what the title says, and as nobody
/// sleeps, no wake-up by the kernel hides what the code costs. After a while without work it does sleep, and takes no core from others.
final class PollingThread: TaskExecutor {
  /// The next job, as a number, or 0. As a rule there is at most one, and it costs one exchange of one cache line.
  private let next = Atomic<UInt>(0)
  /// Jobs that came while there was one already.
  private let further = Mutex<[UnownedJob]>([])
  private let hasFurther = Atomic(false)
  private let isAsleep = Atomic(false)
  private let alarm = DispatchSemaphore(value: 0)

  init(_ name: String) {
    let thread = Thread { [self] in run() }
    thread.name = name
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let number = unsafe unsafeBitCast(job, to: UInt.self)
    if !next.compareExchange(expected: 0, desired: number, ordering: .sequentiallyConsistent).exchanged {
      further.withLock { $0.append(job) }
      hasFurther.store(true, ordering: .sequentiallyConsistent)
    }
    if isAsleep.load(ordering: .sequentiallyConsistent) { wake() }
  }

  private func wake() {
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { alarm.signal() }
  }

  private func run() -> Never {
    while true {
      waitForJobs()
      let number = next.exchange(0, ordering: .acquiring)
      if number != 0 { run(unsafe unsafeBitCast(number, to: UnownedJob.self)) }
      if hasFurther.exchange(false, ordering: .acquiring) {
        let jobs = further.withLock { jobs in
          defer { jobs = [] }
          return jobs
        }
        jobs.forEach(run)
      }
    }
  }

  private func run(_ job: UnownedJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }

  private var hasJobs: Bool {
    next.load(ordering: .sequentiallyConsistent) != 0 || hasFurther.load(ordering: .sequentiallyConsistent)
  }

  private func waitForJobs() {
    for _ in 0..<50_000 where hasJobs { return }
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    // Who came before this thread was seen asleep has rung no alarm.
    if hasJobs { wake() }
    alarm.wait()
  }
}

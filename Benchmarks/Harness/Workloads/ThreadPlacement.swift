import Foundation
import Synchronization

/// Whether the two sides of an exchange run on one thread or on two.
public enum ThreadPlacement: String, Sendable {
  /// Both sides run on one thread.
  case oneThread = "to another task on the same thread and back"
  /// Each side runs on its own thread.
  case twoThreads = "to another thread and back"

  private static let near = PollingThread("near")
  private static let far = PollingThread("far")

  /// The executor of the side that begins.
  public var here: any TaskExecutor { Self.near }

  /// The executor of the other side.
  public var there: any TaskExecutor { self == .oneThread ? Self.near : Self.far }
}

/// A thread that runs the tasks that prefer it, and polls for their next job for a while before it sleeps.
///
/// On the shared pool, two tasks run on one thread or on two, depending on how the system wakes them. The
/// number of threads changes from moment to moment, and affects the time more than the measured code does.
/// Polling threads fix the number, so that the benchmark measures what its title says. A polling thread
/// also needs no wake-up by the kernel, which would hide the cost of the code. After a while without work,
/// the thread sleeps to free its core.
final class PollingThread: TaskExecutor {
  /// The next job, as a number, or 0. Usually at most one job waits, and passing it on costs one exchange of one cache line.
  private let next = Atomic<UInt>(0)
  /// Jobs that came while ``next`` was taken.
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
    // The sender of a job that came before the store above did not signal the alarm.
    if hasJobs { wake() }
    alarm.wait()
  }
}

import StorefrontLoopbackServer
import Synchronization

/// A host that runs nothing until a test says so, in the order that the test says.
actor HeldIsolation {
  private nonisolated let executor = HeldExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// How many jobs wait.
  nonisolated var keptCount: Int { executor.jobs.withLock { $0.count } }

  /// Says each time that a job has come.
  nonisolated var arrivals: AsyncStream<Void> { executor.arrivals }

  /// Runs what waits on this thread, the newest first.
  nonisolated func releaseBackwards() {
    while let job = executor.jobs.withLock({ $0.popLast() }) {
      unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor())
    }
  }
}

private final class HeldExecutor: SerialExecutor {
  let jobs = Mutex<[UnownedJob]>([])
  let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  init() { (arrivals, arrival) = AsyncStream.makeStream() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrival.yield()
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}

import Synchronization

/// An isolation for view models that runs a job only when the probe releases it, the newest job first.
actor HeldIsolation {
  private nonisolated let executor = HeldExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// An element for each job that arrives.
  nonisolated var arrivals: AsyncStream<Void> { executor.arrivals }

  /// Runs the newest waiting job on this thread.
  nonisolated func releaseNewest() {
    guard let job = executor.jobs.withLock({ $0.popLast() }) else { return }
    unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor())
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

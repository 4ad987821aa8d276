#if compiler(>=6.3) && !canImport(Darwin)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  /// From Swift 6.3 on, `Task.yield()` and `Task.sleep` go to the default executor past the hook. An executor before that one gives them
  /// to the world of the thread, and passes everything else on.
  ///
  /// Apple's platforms keep the means for this to themselves. There, a task that uses either where the system's runtime is that
  /// new has left its world, and the world says so. The same goes for `Task.sleep` with older runtimes.
  enum DefaultExecutorCapture {
    static func install() {
      // Other threads may be reading the old ones at this moment: both stay alive for good.
      _ = unsafe Unmanaged.passRetained(Factory.original as AnyObject)
      _ = unsafe Unmanaged.passRetained(Factory.main as AnyObject)
      _createExecutors(factory: Factory.self)
    }

    private struct Factory: ExecutorFactory {
      static let original = Task.defaultExecutor
      static let main = MainActor.executor
      static let capturing = CapturingExecutor(original: original)

      static var mainExecutor: any MainExecutor { main }
      static var defaultExecutor: any TaskExecutor { capturing }
    }
  }

  private final class CapturingExecutor: TaskExecutor, SchedulingExecutor {
    private let original: any TaskExecutor
    private let scheduling: (any SchedulingExecutor)?

    init(original: any TaskExecutor) {
      self.original = original
      scheduling = original as? any SchedulingExecutor
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if !JobCapture.takes(job) { original.enqueue(job) }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      guard let world = JobCapture.current else {
        return forward(job) { $0.enqueue($1, after: delay, tolerance: tolerance, clock: clock) }
      }
      world.enqueue(UnownedJob(job), after: delay)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      guard let world = JobCapture.current else {
        return forward(job) { $0.enqueue($1, at: instant, tolerance: tolerance, clock: clock) }
      }
      world.enqueue(UnownedJob(job), after: clock.now.duration(to: instant))
    }

    private func forward(
      _ job: consuming ExecutorJob, _ enqueue: (any SchedulingExecutor, consuming ExecutorJob) -> Void
    ) {
      guard let scheduling else {
        preconditionFailure("the default executor of this process cannot wait: \(original)")
      }
      enqueue(scheduling, job)
    }
  }
#else
  /// The hook alone captures everything here, or the rest is out of reach: a task that goes there is reported to have left its world.
  enum DefaultExecutorCapture {
    static func install() {}
  }
#endif

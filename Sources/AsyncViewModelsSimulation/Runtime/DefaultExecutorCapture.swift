#if compiler(>=6.3) && !canImport(Darwin)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  /// Captures the jobs of `Task.yield()` and `Task.sleep`. From Swift 6.3 on, these jobs bypass the
  /// enqueue hook that ``JobCapture`` installs.
  ///
  /// An executor in front of the default executor passes these jobs to the simulated world of the
  /// thread, and forwards all other jobs. The SPI that installs this executor is not available on
  /// Apple platforms. There, a task that calls `Task.sleep` leaves its world, which fails the run.
  /// From Swift 6.3 on, a task that calls `Task.yield()` there also leaves its world, unless the
  /// task prefers the ``SimulatedTaskExecutor`` of the world.
  enum DefaultExecutorCapture {
    static func install() {
      // Other threads may be using the old executors, so both stay alive forever.
      _ = unsafe Unmanaged.passRetained(Factory.original as AnyObject)
      _ = unsafe Unmanaged.passRetained(Factory.main as AnyObject)
      _createExecutors(factory: Factory.self)
    }

    fileprivate struct Factory: ExecutorFactory {
      static let original = Task.defaultExecutor
      static let scheduling = original as? any SchedulingExecutor
      static let main = MainActor.executor
      static let capturing = CapturingExecutor()

      static var mainExecutor: any MainExecutor { main }
      static var defaultExecutor: any TaskExecutor { capturing }
    }
  }

  /// Has no properties. The runtime passes this object to other threads, and the thread sanitizer
  /// does not see this synchronization.
  private final class CapturingExecutor: TaskExecutor, SchedulingExecutor {
    private typealias Factory = DefaultExecutorCapture.Factory

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if JobCapture.isUnseen(by: .defaultExecutor) || !JobCapture.takes(job) { Factory.original.enqueue(job) }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      guard let world = JobCapture.world(seenBy: .defaultExecutor) else {
        return forward(job) { $0.enqueue($1, after: delay, tolerance: tolerance, clock: clock) }
      }
      world.enqueue(UnownedJob(job), after: delay)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      guard let world = JobCapture.world(seenBy: .defaultExecutor) else {
        return forward(job) { $0.enqueue($1, at: instant, tolerance: tolerance, clock: clock) }
      }
      let delay = world.readingOwnClock { clock.now.duration(to: instant) }
      world.enqueue(UnownedJob(job), after: delay)
    }

    private func forward(
      _ job: consuming ExecutorJob, _ enqueue: (any SchedulingExecutor, consuming ExecutorJob) -> Void
    ) {
      guard let scheduling = Factory.scheduling else {
        preconditionFailure(
          "the default executor of this process cannot schedule delayed jobs: \(Factory.original)")
      }
      enqueue(scheduling, job)
    }
  }
#else
  /// Does nothing. Before Swift 6.3 and on Apple platforms, a task that bypasses the enqueue hook
  /// leaves its world, which fails the run.
  enum DefaultExecutorCapture {
    static func install() {}
  }
#endif

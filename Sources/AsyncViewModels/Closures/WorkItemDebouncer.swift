public import Dispatch
import Synchronization

/// Debounces closures: runs the last submitted work after a delay without further submissions.
///
/// Superseded or cancelled work never runs, even if its timer fires late. When a timer fires, the debouncer
/// checks whether its work is still current.
///
/// - Isolation: None. Submit and cancel on any thread. The work runs on the queue, without a lock.
/// - Cancellation: ``cancel()`` drops the waiting work, and so does releasing the debouncer. If the queue is
///   serial and you cancel on it, no work runs after that. If you cancel anywhere else, work that has begun
///   continues.
public final class WorkItemDebouncer: Sendable {
  private let scheduler: any CallbackScheduler
  private let queue: DispatchQueue
  private let delay: Duration
  private let state = Mutex(State())

  private struct State {
    /// Increases with each submission, run and cancellation. Submitted work runs only if the generation has
    /// not changed since.
    var generation: UInt64 = 0
    var timer: CancellationToken?

    mutating func advance() -> CancellationToken? {
      generation += 1
      defer { timer = nil }
      return timer
    }
  }

  /// Creates a debouncer.
  ///
  /// - Parameters:
  ///   - delay: The time to wait after each submission.
  ///   - queue: The queue that runs the work.
  ///   - scheduler: The scheduler that measures the delay.
  public init(
    delay: Duration, queue: DispatchQueue, scheduler: any CallbackScheduler = DispatchCallbackScheduler()
  ) {
    self.delay = delay
    self.queue = queue
    self.scheduler = scheduler
  }

  /// Runs `work` after the delay, unless other work is submitted or ``cancel()`` is called before.
  public func submit(_ work: @escaping @Sendable () -> Void) {
    let (superseded, generation) = state.withLock { ($0.advance(), $0.generation) }
    superseded?.cancel()
    let timer = scheduler.schedule(after: delay, on: queue) { [weak self] in
      guard self?.claim(generation) == true else { return }
      work()
    }
    let isCurrent = state.withLock { state in
      guard state.generation == generation else { return false }
      state.timer = timer
      return true
    }
    // A later submission or `cancel()` has superseded this submission, or the timer has already fired.
    if !isCurrent { timer.cancel() }
  }

  /// Drops the waiting work, if any.
  public func cancel() {
    state.withLock { $0.advance() }?.cancel()
  }

  private func claim(_ generation: UInt64) -> Bool {
    let (isCurrent, timer) = state.withLock { state in
      state.generation == generation ? (true, state.advance()) : (false, nil)
    }
    timer?.finish()
    return isCurrent
  }

  deinit { cancel() }
}

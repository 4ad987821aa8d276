public import Dispatch
import Synchronization

/// Debounces closures: runs submitted work after a delay, unless newer work is submitted during the
/// delay.
///
/// ```swift
/// let debouncer = WorkItemDebouncer(delay: .milliseconds(300), queue: queue)
/// debouncer.submit { [weak self] in self?.search(query) }  // for each keystroke
/// ```
///
/// - Isolation: None. Submit and cancel on any thread. The work runs on the queue, and no lock is
///   held.
/// - Cancellation: ``cancel()``, a newer submission and the release of the debouncer drop the
///   waiting work. On a serial queue, work that is dropped on that queue does not begin. Elsewhere,
///   work whose timer has already fired can still begin.
public final class WorkItemDebouncer: Sendable {
  private let scheduler: any CallbackScheduler
  private let queue: DispatchQueue
  private let delay: Duration
  private let state = Mutex(State())

  private struct State {
    /// Increases with each submission, run and cancellation. Work runs only if the generation is
    /// still that of its submission.
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
    self.delay = min(delay, .longestDelay)
    self.queue = queue
    self.scheduler = scheduler
  }

  /// Runs `work` on the queue after the delay, unless it is dropped before.
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
    // A later submission or `cancel()` has superseded this submission, or the timer has already
    // fired.
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

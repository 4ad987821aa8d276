public import Dispatch
import Synchronization

/// Runs the last of several pieces of work once no other has been submitted for a while: the closure stage's
/// debounce.
///
/// - Promises: the last call wins. Work that was superseded or cancelled never runs, however late its scheduler
///   fires: what counts is who is current at that moment, not whether the timer could be stopped.
/// - Isolation: none; any thread may submit and cancel. The work runs on the queue, without a lock.
/// - Cancellation: ``cancel()`` drops what waits, and so does the end of the debouncer. Called on the (serial)
///   queue, nothing runs afterwards; called from elsewhere, work that has already begun goes on.
public final class WorkItemDebouncer: Sendable {
  private let scheduler: any CallbackScheduler
  private let queue: DispatchQueue
  private let delay: Duration
  private let state = Mutex(State())

  private struct State {
    /// Counts submissions and endings: work may run only under the number that it was submitted with.
    var generation: UInt64 = 0
    var timer: CancellationToken?

    mutating func advance() -> CancellationToken? {
      generation += 1
      defer { timer = nil }
      return timer
    }
  }

  /// A debouncer that waits `delay` after each submission, on `scheduler`'s time, and runs work on `queue`.
  public init(
    delay: Duration, queue: DispatchQueue, scheduler: any CallbackScheduler = DispatchCallbackScheduler()
  ) {
    self.delay = delay
    self.queue = queue
    self.scheduler = scheduler
  }

  /// Runs `work` after the delay, unless something else is submitted or ``cancel()`` is called before.
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
    // A later submission came in between, or the timer fired at once: it is of no use to anybody.
    if !isCurrent { timer.cancel() }
  }

  /// Drops the work that waits, if any.
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

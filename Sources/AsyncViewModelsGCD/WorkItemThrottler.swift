public import Dispatch

/// Throttles closures: runs work at once, and then at most once in each interval.
///
/// ```swift
/// let throttler = WorkItemThrottler(interval: .milliseconds(100), queue: queue)
/// throttler.submit { [weak self] in self?.showPrices() }  // for each change of a price
/// ```
///
/// | a submission | runs |
/// | --- | --- |
/// | while no interval is running | at once, and begins an interval |
/// | in an interval | at its end, unless newer work replaces it, and begins the next interval |
/// | without a positive interval | at once |
///
/// This class is the counterpart of ``_Concurrency/AsyncSequence/throttled(for:clock:)``.
///
/// - Isolation: The serial queue. Submit on this queue; the compiler does not check this. The work
///   runs on it, and work that is replaced is released on it.
/// - Cancellation: The release of the throttler drops the waiting work.
///
/// `@unchecked Sendable`: `queue` guards the variables.
public final class WorkItemThrottler: @unchecked Sendable {
  private let interval: Duration
  private let queue: DispatchQueue
  private let scheduler: any CallbackScheduler
  private var timer: CancellationToken?
  private var waiting: (@Sendable () -> Void)?

  /// Creates a throttler.
  ///
  /// - Parameters:
  ///   - interval: The shortest time between two runs.
  ///   - queue: The serial queue that guards the owner, and runs the work.
  ///   - scheduler: The scheduler that measures the interval.
  public init(
    interval: Duration, queue: DispatchQueue,
    scheduler: any CallbackScheduler = DispatchCallbackScheduler()
  ) {
    self.interval = min(interval, .longestDelay)
    self.queue = queue
    self.scheduler = scheduler
  }

  /// Runs `work` now, or at the end of the interval, unless newer work replaces it before.
  public func submit(_ work: @escaping @Sendable () -> Void) {
    guard timer != nil else { return run(work) }
    // Released after the access to `waiting`: a `deinit` may submit other work.
    withExtendedLifetime(exchange(&waiting, with: work)) {}
  }

  private func run(_ work: () -> Void) {
    if interval > .zero {
      timer = scheduler.schedule(after: interval, on: queue) { [weak self] in self?.endInterval() }
    }
    work()
  }

  private func endInterval() {
    timer.take()?.finish()
    if let work = waiting.take() { run(work) }
  }
}

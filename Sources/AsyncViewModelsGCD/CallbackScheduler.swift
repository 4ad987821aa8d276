public import Dispatch
import Synchronization

/// Runs a block on a queue after a delay.
///
/// Code without `await` cannot use a `Clock`. Inject a scheduler instead, so that a test can
/// control the time. ``DispatchCallbackScheduler`` uses real time; `VirtualClock` in
/// AsyncViewModelsTesting uses virtual time.
public protocol CallbackScheduler: Sendable {
  /// Runs `work` once on `queue` after `delay`, unless the returned token is cancelled before
  /// `work` begins.
  ///
  /// - Returns: A token that cancels `work`. Releasing the token also cancels `work`, so the caller
  ///   has to keep the token.
  func schedule(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> CancellationToken
}

/// Schedules callbacks in real time, with `DispatchQueue.asyncAfter`.
public struct DispatchCallbackScheduler: CallbackScheduler {
  /// Creates a scheduler.
  public init() {}

  /// Runs `work` once on `queue` after `delay`. A cancellation releases `work` at once; the queue
  /// keeps only a small object until `delay` is over.
  public func schedule(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> CancellationToken {
    let scheduled = ScheduledWork(work)
    queue.asyncAfter(deadline: Self.deadline(after: delay, from: .now())) { scheduled.take()?() }
    return CancellationToken { _ = scheduled.take() }
  }

  /// Returns the end of a delay that begins at `start`. The delay is limited to the range from 0 to
  /// ``Swift/Duration/longestDelay``, and rounded down to whole nanoseconds.
  static func deadline(after delay: Duration, from start: DispatchTime) -> DispatchTime {
    let (seconds, attoseconds) = min(max(delay, .zero), .longestDelay).components
    let nanoseconds = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
    // Not `start + .nanoseconds(…)`: on watchOS, an `Int` of nanoseconds is at most two seconds.
    return DispatchTime(uptimeNanoseconds: start.uptimeNanoseconds + nanoseconds)
  }
}

/// Work that either runs or is cancelled. A cancelled `DispatchWorkItem` would keep its block until
/// its deadline.
private final class ScheduledWork: Sendable {
  private let work: Mutex<(@Sendable () -> Void)?>

  init(_ work: @escaping @Sendable () -> Void) { self.work = Mutex(work) }

  /// Returns the work to the first caller only. The work's captures are released outside the lock.
  func take() -> (@Sendable () -> Void)? { work.take() }
}

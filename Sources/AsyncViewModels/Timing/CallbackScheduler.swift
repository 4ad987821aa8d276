public import Dispatch

/// Runs a block on a queue after a delay.
///
/// Code without `await` cannot use a `Clock`. Inject a scheduler instead, so that a test can control the time.
/// ``DispatchCallbackScheduler`` uses real time; `VirtualClock` in AsyncViewModelsTesting uses virtual time.
public protocol CallbackScheduler: Sendable {
  /// Runs `work` once on `queue` after `delay`, unless the returned token is cancelled before `work` begins.
  ///
  /// - Returns: A token that cancels `work`. Releasing the token also cancels `work`, so the caller has to keep
  ///   the token.
  func schedule(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> CancellationToken
}

/// Schedules callbacks in real time, with `DispatchQueue.asyncAfter` and a cancellable work item.
public struct DispatchCallbackScheduler: CallbackScheduler {
  /// Creates a scheduler.
  public init() {}

  /// Runs `work` once on `queue` after `delay`, unless the returned token is cancelled before `work` begins.
  ///
  /// - Returns: A token that cancels `work`. Releasing the token also cancels `work`, so the caller has to keep
  ///   the token.
  public func schedule(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> CancellationToken {
    let item = DispatchWorkItem(block: work)
    let (seconds, attoseconds) = delay.components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, exceeds) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    let interval: DispatchTimeInterval =
      if delay <= .zero {
        .nanoseconds(0)
      } else if overflows || exceeds {
        .never
      } else {
        .nanoseconds(Int(clamping: nanoseconds))
      }
    queue.asyncAfter(deadline: .now() + interval, execute: item)
    nonisolated(unsafe) let cancellable = item  // `cancel` is documented as callable from any thread.
    return CancellationToken { unsafe cancellable.cancel() }
  }
}

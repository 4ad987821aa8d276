public import Dispatch

/// Time for the closure stage: runs a block on a queue after a delay.
///
/// It is injected where a `Clock` cannot be (code that has no `await`), so that a test can put a virtual clock in
/// its place. ``DispatchCallbackScheduler`` is the real one; `VirtualClock` in AsyncViewModelsTesting is the other.
public protocol CallbackScheduler: Sendable {
  /// Runs `work` once on `queue`, `delay` from now, unless the token is cancelled before it has begun.
  ///
  /// The token cancels when it goes away, so the caller keeps it.
  func schedule(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> CancellationToken
}

/// The scheduler of real time: `DispatchQueue.asyncAfter` with a work item that can be cancelled.
public struct DispatchCallbackScheduler: CallbackScheduler {
  public init() {}

  public func schedule(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> CancellationToken {
    let item = DispatchWorkItem(block: work)
    let (seconds, attoseconds) = delay.components
    let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let interval: DispatchTimeInterval =
      nanoseconds.overflow
      ? .never
      : .nanoseconds(Int(clamping: nanoseconds.partialValue &+ attoseconds / 1_000_000_000))
    queue.asyncAfter(deadline: .now() + interval, execute: item)
    nonisolated(unsafe) let cancellable = item  // `cancel` is documented as callable from any thread.
    return CancellationToken { unsafe cancellable.cancel() }
  }
}

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
    queue.asyncAfter(deadline: Self.deadline(after: delay, from: .now()), execute: item)
    nonisolated(unsafe) let cancellable = item  // `cancel` is documented as callable from any thread.
    return CancellationToken { unsafe cancellable.cancel() }
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

extension Duration {
  /// The longest delay that the toolkit passes to a clock or a queue: about 100 years.
  ///
  /// Longer delays are shortened to this delay, because a clock may not be able to represent their end.
  package static var longestDelay: Duration { .seconds(3_155_760_000) }
}

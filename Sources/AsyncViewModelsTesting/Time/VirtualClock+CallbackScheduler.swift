public import AsyncViewModelsGCD
@_exported public import AsyncViewModelsVirtualTime
public import Dispatch

extension VirtualClock: CallbackScheduler {
  /// Enqueues `work` on `queue` when the time has advanced by `delay`, or at once if `delay` is not
  /// positive.
  ///
  /// Within a scheduled block, `delay` counts from the deadline of that block, as if the block ran
  /// exactly when it was due. So a block that schedules the next block keeps its interval, even if
  /// one `advance(by:)` covers several intervals.
  ///
  /// - Returns: A token that cancels `work`. Releasing the token also cancels `work`.
  public func schedule(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> CancellationToken {
    CancellationToken(onCancel: enqueue(after: delay, on: queue, work))
  }
}

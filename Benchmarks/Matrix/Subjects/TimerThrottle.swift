import AsyncViewModelsGCD
import Dispatch

/// A throttle as a programmer would write it without `await`: the first value passes at once, and a timer passes the latest of the
/// values that arrive during the interval.
///
/// `@unchecked Sendable`: only code on `queue` uses the variables.
final class TimerThrottle<Value: Sendable>: @unchecked Sendable {
  private let interval: Duration
  private let scheduler: any CallbackScheduler
  private let queue: DispatchQueue
  private let observer: @Sendable (Value) -> Void
  private var timer: CancellationToken?
  private var latest: Value?

  init(
    interval: Duration, scheduler: any CallbackScheduler, queue: DispatchQueue,
    observer: @escaping @Sendable (Value) -> Void
  ) {
    self.interval = interval
    self.scheduler = scheduler
    self.queue = queue
    self.observer = observer
  }

  /// Passes the value or keeps it. Call this on `queue`.
  func receive(_ value: Value) {
    guard timer == nil else {
      latest = value
      return
    }
    observer(value)
    timer = scheduler.schedule(after: interval, on: queue) { [weak self] in self?.intervalHasEnded() }
  }

  private func intervalHasEnded() {
    timer = nil
    guard let value = latest else { return }
    latest = nil
    receive(value)
  }
}

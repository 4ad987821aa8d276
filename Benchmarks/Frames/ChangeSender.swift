import Dispatch
import Foundation
import Synchronization

/// A thread that changes a state at a steady rate.
final class ChangeSender: Sendable {
  private let isStopped = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts a thread that calls `change` `rate` times a second. If the thread is late, it catches up.
  init(perSecond rate: Int, _ change: @escaping @Sendable () -> Void) {
    let thread = Thread { [self] in
      let (clock, interval) = (ContinuousClock(), Duration.seconds(1) / max(rate, 1))
      var next = clock.now.advanced(by: interval)
      while !isStopped.load(ordering: .relaxed) {
        let now = clock.now
        while rate > 0, next <= now {
          change()
          next = next.advanced(by: interval)
        }
        // Short enough for 10 changes at a time at the highest rate, and for a prompt end.
        usleep(50)
      }
      hasEnded.signal()
    }
    thread.start()
  }

  /// Returns when the thread has ended.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    hasEnded.wait()
  }
}

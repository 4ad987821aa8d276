import Synchronization

/// Measures how long nothing has arrived, on any clock.
final class IdleTimer<C: Clock>: Sendable where C.Duration == Duration {
  private let limit: Duration
  private let clock: C
  private let lastActivity: Mutex<C.Instant>

  /// Creates a timer whose time begins now.
  init(limit: Duration, clock: C) {
    self.limit = limit
    self.clock = clock
    lastActivity = Mutex(clock.now)
  }

  /// Begins the time again. Use this method on any thread.
  func restart() {
    let now = clock.now
    lastActivity.withLock { $0 = now }
  }

  /// Returns when the limit has passed since the last activity.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func waitForSilence() async throws {
    var deadline = deadline
    repeat {
      try await clock.sleep(until: deadline, tolerance: nil)
      deadline = self.deadline
    } while deadline > clock.now
  }

  private var deadline: C.Instant { lastActivity.withLock { $0 }.advanced(by: limit) }
}

import Synchronization

/// Measures how long nothing has arrived, and how long a stream was active, on any clock.
final class IdleTimer<C: Clock>: Sendable where C.Duration == Duration {
  private let limit: Duration
  private let clock: C
  private let times: Mutex<(begin: C.Instant?, lastActivity: C.Instant)>

  /// Creates a timer whose time begins now.
  init(limit: Duration, clock: C) {
    self.limit = limit
    self.clock = clock
    times = Mutex((nil, clock.now))
  }

  func restart() {
    let now = clock.now
    times.withLock { $0.lastActivity = now }
  }

  func begin() {
    let now = clock.now
    times.withLock { $0 = (now, now) }
  }

  /// The time from the beginning of the stream to the last activity. `nil` if there was no stream.
  var activeTime: Duration? {
    times.withLock { times in times.begin.map { $0.duration(to: times.lastActivity) } }
  }

  /// Returns when the limit has passed since the last activity.
  func waitForSilence() async throws {
    var deadline = deadline
    repeat {
      try await clock.sleep(until: deadline, tolerance: nil)
      deadline = self.deadline
    } while deadline > clock.now
  }

  private var deadline: C.Instant { times.withLock { $0.lastActivity }.advanced(by: limit) }
}

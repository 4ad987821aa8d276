/// How often code of a world has read the system's clocks since the virtual time has moved.
///
/// Code that reads a clock again and again, until it shows a deadline, would never end if time
/// moved only between steps. So after many reads, each further read shows a later time. The world
/// moves its clock to this time once the step has ended, because a read may happen under any lock.
struct ClockReads {
  /// The time by which the clock of the world has to move, after a busy wait or another wait in
  /// this step.
  private(set) var pending = Duration.zero
  private var count = 0
  /// The time of the clock at the last read.
  private var time = Duration.zero

  /// The number of reads at the same time from which on each read shows a later time.
  static let limit = 1_000

  /// The time to show, including the pending time.
  mutating func elapsed(at now: Duration) -> Duration {
    follow(now)
    return now + pending
  }

  /// Counts a read by code of the world, and returns the time to show.
  mutating func read(at now: Duration) -> Duration {
    follow(now)
    count += 1
    if count > Self.limit { pending += .milliseconds(1) }
    return now + pending
  }

  /// Adds the time of a wait that could not let other jobs run.
  mutating func add(_ duration: Duration) { pending += duration }

  /// Begins to count again, because the code waits for a timer.
  mutating func restart() { count = 0 }

  /// Returns the time to which the clock now has to move. This movement does not end a busy wait.
  mutating func takePending(at now: Duration) -> Duration {
    (time, pending) = (elapsed(at: now), .zero)
    return time
  }

  /// Begins to count again if the clock has moved.
  private mutating func follow(_ now: Duration) {
    guard now != time else { return }
    pending = max(pending - (now - time), .zero)
    (count, time) = (0, now)
  }
}

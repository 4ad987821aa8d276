/// How many frames were shown, and how many of them late.
///
/// The frame clock ticks 60 times per second. A frame belongs to the tick after the change that it
/// shows. It is late if it is on the screen more than one tick after that. The time includes the
/// wait for the main actor, the drawing, and the write to the terminal.
struct FrameStatistics: Equatable {
  /// The time between two ticks.
  static let interval = Duration.nanoseconds(1_000_000_000 / 60)

  private(set) var shownCount = 0
  private(set) var lateCount = 0
  /// How late the latest frame was shown, or zero.
  private(set) var worstDelay = Duration.zero
  /// The times from the tick to the screen, for the last frames.
  private(set) var recentTimes: [Duration] = []

  private static let recentLimit = 48

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - tick: When its tick was due.
  ///   - end: When the terminal had received it.
  mutating func record(tick: ContinuousClock.Instant, end: ContinuousClock.Instant) {
    let time = tick.duration(to: end)
    shownCount += 1
    if time > Self.interval {
      lateCount += 1
      worstDelay = max(worstDelay, time - Self.interval)
    }
    recentTimes = recentTimes.suffix(Self.recentLimit - 1) + [time]
  }
}

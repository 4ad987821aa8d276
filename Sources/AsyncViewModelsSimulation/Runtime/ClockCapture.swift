internal import AsyncViewModelsRuntimeHooks

/// On the threads that run a simulated world, makes the system's clocks show the virtual time of
/// that world.
///
/// `Date()`, `ContinuousClock.now`, `SuspendingClock.now`, `DispatchTime.now()` and
/// `ProcessInfo.systemUptime` read these clocks. All other threads, and the machinery around the
/// worlds, read the real clocks. So does libdispatch in a world with real queues, because a real
/// queue needs real deadlines. The clocks of CPU time are always real.
///
/// On Apple platforms, the functions that read a clock cannot be replaced.
enum ClockCapture {
  /// What wall clocks show at the start of each run, in nanoseconds since 1970: 2026-01-01 00:00:00
  /// UTC.
  static let wallStart: Int64 = 1_767_225_600_000_000_000
  /// What clocks that count from the start of the system show at the start of each run: a million
  /// seconds.
  static let uptimeStart: Int64 = 1_000_000_000_000_000
  /// The most seconds of a world that the clocks show, about 221 years. A 64-bit number of
  /// nanoseconds ends soon after.
  static let limit: Int64 = 7_000_000_000

  static func install() {
    clocks_replace(
      { isWall, isDispatch in
        guard let world = JobCapture.world(seenBy: .clocks),
          !isDispatch || world.queueScheduling.isSimulated
        else { return -1 }
        let time = (world.readClock() + (isWall ? world.wallOffset : .zero)).components
        let seconds = min(max(time.seconds, -ClockCapture.limit), ClockCapture.limit)
        let start = isWall ? ClockCapture.wallStart : ClockCapture.uptimeStart
        return max(start + seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000, 0)
      },
      { seconds, nanoseconds in
        guard let world = JobCapture.world(seenBy: .clocks) else { return false }
        world.sleep(for: .seconds(seconds) + .nanoseconds(nanoseconds))
        return true
      },
      {
        guard let world = JobCapture.world(seenBy: .clocks) else { return false }
        world.refuseRunLoop()
        return true
      })
  }
}

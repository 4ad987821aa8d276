/// A clock whose instants are left out: time is the duration since the stopwatch was made.
///
/// It lets a part take `any Clock<Duration>` and still be one type, whatever clock that is.
struct Stopwatch: Sendable {
  /// The time since the stopwatch was made.
  let elapsed: @Sendable () -> Duration

  /// Sleeps until so much time has passed since the stopwatch was made. It throws only when cancelled.
  let sleep: @Sendable (_ deadline: Duration) async throws -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }
}

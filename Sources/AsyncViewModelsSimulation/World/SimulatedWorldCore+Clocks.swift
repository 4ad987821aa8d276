// The virtual time, and what the system's clocks show of it.

extension SimulatedWorldCore {
  /// The time since the start of the world, including the time that has passed in the running step.
  var elapsed: Duration { clockReads.elapsed(at: now.offset) }

  /// The time to show if code of the world reads a clock. May be called under any lock.
  func readClock() -> Duration { readsOwnClock ? elapsed : clockReads.read(at: now.offset) }

  /// Reads the system's clocks for the world itself.
  func readingOwnClock<Result>(_ body: () -> Result) -> Result {
    readsOwnClock = true
    defer { readsOwnClock = false }
    return body()
  }

  /// The deadline of a delay that begins now.
  func due(after delay: Duration) -> VirtualClock.Instant {
    clockReads.restart()
    return VirtualClock.Instant(offset: elapsed + delay)
  }

  /// Sleeps in synchronous code. Other jobs run meanwhile if the world has threads for them.
  ///
  /// Foundation computes with floating-point seconds. So the duration is rounded to microseconds,
  /// and is at least a nanosecond, because Foundation sleeps again if its clock shows a time before
  /// the deadline.
  func sleep(for duration: Duration) {
    let duration = max(duration.roundedToMicroseconds, .nanoseconds(1))
    if threads == nil {
      clockReads.add(duration)
    } else {
      wait(in: "sleep", until: due(after: duration)) { false }
    }
  }

  /// Fails the run, because a run loop waits for something outside the world. Time passes, so that
  /// a run loop with a limit ends. Code that repeats such waits stops here, as if it had trapped.
  func refuseRunLoop() {
    leave(.leftTheWorld(name(of: running), call: "RunLoop.run"))
    clockReads.add(.milliseconds(1))
    refusals += 1
    if refusals > Self.refusalLimit { CrashReport.surviveTrap() }
  }

  private static let refusalLimit = 20_000

  /// Moves the clock by the time that has passed in a step.
  func movePendingTime() {
    guard clockReads.pending > .zero else { return }
    let end = clockReads.takePending(at: now.offset)
    moveTime(to: VirtualClock.Instant(offset: end))
  }

  /// Moves the clock to a deadline, or to a later one within the tolerance, which is a choice of
  /// the seed.
  func moveTime(toDeadline deadline: VirtualClock.Instant) {
    guard timerTolerance > .zero else { return moveTime(to: deadline) }
    let last = lastDeadline(by: deadline.advanced(by: timerTolerance))
    let isLater = last > deadline && choose(2, quietly: true) == 1
    moveTime(to: isLater ? last : deadline, isTurn: isLater)
  }

  private func moveTime(to instant: VirtualClock.Instant, isTurn: Bool = false) {
    clock.advance(to: max(instant, now))
    timeline?.note(.timeMoved(isTurn: isTurn), step: steps, at: instant)
    while let timer = timers.first, timer.due <= instant {
      ready.append(timer.job)
      timers.removeFirst()
    }
  }

  private func lastDeadline(by instant: VirtualClock.Instant) -> VirtualClock.Instant {
    let timer = timers.last { $0.due <= instant }?.due
    let deadlines = [timer, clock.lastDeadline(by: instant)] + waits.map(\.deadline)
    return deadlines.lazy.compactMap(\.self).filter { $0 <= instant }.max() ?? .start
  }
}

extension Duration {
  /// The nearest multiple of a microsecond.
  package var roundedToMicroseconds: Duration {
    let (seconds, attoseconds) = components
    return .seconds(seconds) + .microseconds((attoseconds + 500_000_000_000) / 1_000_000_000_000)
  }
}

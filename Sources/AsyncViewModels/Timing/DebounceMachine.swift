/// Keeps the latest element until the source has been quiet for an interval.
struct DebounceMachine<Element: Sendable>: TimedMachine {
  private let interval: Duration
  private var kept: Element?
  private(set) var deadline: Duration?

  init(interval: Duration) {
    self.interval = interval
  }

  /// Hands on what was due by now, however late the timer is: which elements come out is up to the clock, not to who is faster.
  mutating func receive(_ element: Element, at now: Duration) -> Element? {
    let due = wake(at: now)
    kept = element
    deadline = now + interval
    return due
  }

  mutating func wake(at now: Duration) -> Element? {
    guard let deadline, deadline <= now else { return nil }
    return finish()
  }

  mutating func finish() -> Element? {
    deadline = nil
    return kept.take()
  }
}

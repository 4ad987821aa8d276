/// Keeps the latest element until the source has produced no other element for an interval.
@usableFromInline
struct DebounceMachine<Element: Sendable>: TimedMachine {
  @usableFromInline let interval: Duration
  @usableFromInline var kept: Element?
  @usableFromInline var deadline: Duration?

  @usableFromInline
  init(interval: Duration) {
    self.interval = min(interval, .longestDelay)
  }

  /// Stores `element`, and returns the previous element if that element was due by `now`.
  ///
  /// The timer may be late, so the time `now` decides what is due.
  @export(implementation)
  mutating func receive(_ element: Element, at now: Duration) -> Element? {
    let due = wake(at: now)
    kept = element
    deadline = now + interval
    return due
  }

  @export(implementation)
  mutating func wake(at now: Duration) -> Element? {
    guard let deadline, deadline <= now else { return nil }
    return finish()
  }

  @export(implementation)
  mutating func finish() -> Element? {
    deadline = nil
    return kept.take()
  }
}

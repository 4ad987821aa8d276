/// Keeps the latest element until the source has been quiet for an interval.
struct DebounceMachine<Element: Sendable>: TimedMachine {
  private let interval: Duration
  private var kept: Element?
  private(set) var deadline: Duration?

  init(interval: Duration) {
    self.interval = interval
  }

  mutating func receive(_ element: Element, at now: Duration) -> Element? {
    kept = element
    deadline = now + interval
    return nil
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

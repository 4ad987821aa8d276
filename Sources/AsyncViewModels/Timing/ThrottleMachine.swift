/// Selects the first element of an interval and, if others follow, the last of them.
@usableFromInline
struct ThrottleMachine<Element: Sendable>: TimedMachine {
  @usableFromInline let interval: Duration
  @usableFromInline var kept: Element?
  /// The end of the latest interval, before which no other element becomes due. `nil` before the
  /// first element.
  @usableFromInline var closedUntil: Duration?

  @usableFromInline
  init(interval: Duration) {
    self.interval = min(interval, .longestDelay)
  }

  /// The end of the interval if an element is kept, otherwise `nil`: without a kept element,
  /// ``receive(_:at:)`` checks whether the interval has ended.
  @export(implementation) var deadline: Duration? { kept == nil ? nil : closedUntil }

  /// Returns the element that is due by `now`, if any: the kept element, whose timer may be late,
  /// or `element`.
  @export(implementation)
  mutating func receive(_ element: Element, at now: Duration) -> Element? {
    if let due = wake(at: now) {
      kept = element
      return due
    }
    if let closedUntil, now < closedUntil {
      kept = element
      return nil
    }
    closedUntil = now + interval
    return element
  }

  @export(implementation)
  mutating func wake(at now: Duration) -> Element? {
    guard let deadline, deadline <= now else { return nil }
    closedUntil = now + interval
    return kept.take()
  }

  @export(implementation)
  mutating func finish() -> Element? { kept.take() }
}

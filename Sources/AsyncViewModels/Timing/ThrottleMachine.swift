/// Hands on at most one element per interval: the first, the last, or both.
struct ThrottleMachine<Element: Sendable>: TimedMachine {
  private let interval: Duration
  private let emission: ThrottleEmission
  private var kept: Element?

  /// When the interval that an element began is over. Until then nothing may be handed on.
  private var closedUntil: Duration?

  init(interval: Duration, emission: ThrottleEmission) {
    self.interval = interval
    self.emission = emission
  }

  /// Only an element that is kept needs to be woken for; an interval that runs out by itself is noticed later.
  var deadline: Duration? { kept == nil ? nil : closedUntil }

  /// Hands on what was due by now, however late the timer is: which elements come out is up to the clock, not to who is faster.
  mutating func receive(_ element: Element, at now: Duration) -> Element? {
    if let due = wake(at: now) {
      kept = element
      return due
    }
    if kept == nil, closedUntil.map({ $0 <= now }) ?? true {
      closedUntil = now + interval
      if emission != .trailing { return element }
    }
    if emission != .leading { kept = element }
    return nil
  }

  mutating func wake(at now: Duration) -> Element? {
    guard let deadline, deadline <= now else { return nil }
    closedUntil = now + interval
    return kept.take()
  }

  mutating func finish() -> Element? { kept.take() }
}

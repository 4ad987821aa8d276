extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Delivers an element only after the source has produced no other element for `interval`.
  ///
  /// A burst of typing, for example, arrives as one element:
  ///
  /// ```swift
  /// for await query in queries.debounced(for: .milliseconds(300), clock: clock) { … }
  /// ```
  ///
  /// | event | what the consumer receives |
  /// | --- | --- |
  /// | an element, then no other element for `interval` | the element |
  /// | a second element within `interval` | nothing; the second replaces the first and restarts the interval |
  /// | a second element when `interval` ends, or later | the first element, even if its timer has not fired yet |
  /// | the source ends while an element waits | the element at once, then the end |
  /// | the source fails while an element waits | the element at once, then the error |
  /// | the consumer is slow | the latest element that is due; older elements are skipped, the order is kept |
  /// | the consumer's task is cancelled | the end at once; the waiting element is dropped |
  /// | the consumer's task is cancelled before its first read | the end at once; no element is taken from the source |
  /// | `interval` is zero | every element, directly from the source |
  ///
  /// - Isolation: A separate task reads the source from the first call of `next` on, without back
  ///   pressure. At most two elements are stored. `next` returns on the caller's actor.
  /// - Errors: The sequence throws the errors of the source, with their type. Code that calls the
  ///   iterator itself keeps the type with `next(isolation:)`.
  /// - Cancellation: Cancelling the consumer's task or releasing the iterator stops reading the
  ///   source.
  /// - Complexity: One clock reading, one lock and one store for each element. No element creates a
  ///   task or a timer.
  /// - Note: Each iterator creates its own iterator of the source, so the source decides whether
  ///   two iterators share elements.
  /// - Precondition: `interval` is not negative.
  @export(implementation)
  public func debounced(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> some AsyncSequence<Element, Failure> & Sendable {
    TimedSequence(self, interval: interval, DebounceMachine(interval: interval), clock)
  }

  /// Delivers elements at least `interval` apart: the first of an interval at once, and the last at
  /// its end.
  ///
  /// A price that changes often, for example, is shown at most once per second, and the latest
  /// price is always shown in the end:
  ///
  /// ```swift
  /// for await price in prices.throttled(for: .seconds(1), clock: clock) { … }
  /// ```
  ///
  /// | event | what the consumer receives |
  /// | --- | --- |
  /// | an element while no interval is running | the element at once, which begins an interval |
  /// | elements while an interval is running | nothing; the last of them is held back |
  /// | the interval ends | the element held back, if any, which begins the next interval |
  /// | the source ends or fails | the element held back, if any, at once; then the end or the error |
  /// | the consumer is slow | the latest element that is due; older elements are skipped, the order is kept |
  /// | `interval` is zero | every element, directly from the source |
  ///
  /// Isolation, errors, cancellation and cost are those of ``debounced(for:clock:)``.
  ///
  /// - Precondition: `interval` is not negative.
  @export(implementation)
  public func throttled(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> some AsyncSequence<Element, Failure> & Sendable {
    TimedSequence(self, interval: interval, ThrottleMachine(interval: interval), clock)
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Delivers an element only after the source has produced no other element for `interval`.
  ///
  /// A burst of typing, for example, arrives as one element:
  ///
  /// ```swift
  /// for await query in queries.debounced(for: .milliseconds(300), clock: clock) { … }
  /// ```
  ///
  /// | Event | What the consumer receives |
  /// | --- | --- |
  /// | an element, then no other element for `interval` | the element |
  /// | a second element within `interval` | nothing; the second replaces the first and restarts the interval |
  /// | a second element when `interval` ends, or later | the first element, even if its timer has not fired yet |
  /// | the source ends while an element waits | the element at once, then the end |
  /// | the source fails while an element waits | the element at once, then the error |
  /// | the consumer is slow | the latest element that is due; older elements are skipped, the order is kept |
  /// | the consumer's task is cancelled | the end at once; the waiting element is dropped |
  /// | the consumer's task is cancelled before its first read | the end at once; no element is taken from the source |
  ///
  /// If `interval` is zero, every element passes directly from the source to the consumer.
  ///
  /// Each element costs one clock reading, one lock and one store. No element creates a task or a
  /// timer.
  ///
  /// - Isolation: At the first call of `next`, a separate task begins to read the source, as fast
  ///   as the source produces elements. There is no back pressure; at most two elements are stored.
  ///   `next` returns on the caller's actor.
  /// - Errors: The sequence throws the errors of the source, with their type. Code that calls the
  ///   iterator itself keeps the type with `next(isolation:)`.
  /// - Cancellation: Cancelling the consumer's task or releasing the iterator stops reading the
  ///   source, cancels the timer and releases the elements.
  /// - Note: Each iterator creates its own iterator of the source, so the source decides whether
  ///   two iterators share elements.
  /// - Precondition: `interval` is not negative.
  @inlinable
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
  /// An element that arrives while no interval is running begins an interval. If elements were held
  /// back, the last of them becomes due at the end of the interval, and the next interval begins at
  /// that time. Two elements never become due less than `interval` apart, except at the end of the
  /// source.
  ///
  /// | Event | What the consumer receives |
  /// | --- | --- |
  /// | an element while no interval is running | the element at once |
  /// | elements while an interval is running | nothing; the last of them is held back |
  /// | the interval ends | the element held back, if any |
  /// | the source ends or fails | the element held back, if any, at once; then the end or the error |
  ///
  /// A slow consumer receives the latest element that is due. Older elements are skipped, and the
  /// order is kept. If `interval` is zero, every element passes directly from the source to the
  /// consumer.
  ///
  /// Isolation, errors, cancellation and cost are those of ``debounced(for:clock:)``.
  ///
  /// - Precondition: `interval` is not negative.
  @inlinable
  public func throttled(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> some AsyncSequence<Element, Failure> & Sendable {
    TimedSequence(self, interval: interval, ThrottleMachine(interval: interval), clock)
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Delivers an element only after the source has been quiet for `interval`.
  ///
  /// A burst of typing, for example, arrives as one element:
  ///
  /// ```swift
  /// for await query in queries.debounced(for: .milliseconds(300), clock: clock) { … }
  /// ```
  ///
  /// | event | what the consumer receives |
  /// | --- | --- |
  /// | an element, then quiet for `interval` | that element |
  /// | another element before the interval ends | nothing; it replaces the first and restarts the interval |
  /// | another element when the interval ends, or later | the first element, even if its timer is late |
  /// | the source ends while an element waits | that element at once, then the end |
  /// | the source fails while an element waits | that element at once, then the error |
  /// | the consumer is slow | the latest element that is due; older ones are skipped, the order is kept |
  /// | the consumer's task is cancelled | the end, at once; the waiting element is dropped |
  ///
  /// If `interval` is zero, every element passes directly from the source to the consumer.
  ///
  /// Each element costs one clock reading, one lock and one store; it creates no task and no timer.
  ///
  /// - Isolation: At the first call of `next`, a separate task begins to read the source, as fast as the
  ///   source produces elements. There is no back pressure; at most two elements are stored. `next` returns
  ///   on the caller's actor.
  /// - Errors: The errors of the source, with their type.
  /// - Cancellation: Cancelling the consumer's task or dropping the iterator stops reading the source,
  ///   cancels the timer and releases the elements. Each iterator creates its own iterator of the source, so
  ///   the source decides whether two iterators share elements.
  /// - Precondition: `interval` is not negative.
  public func debounced(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> DebouncedSequence<Self> {
    DebouncedSequence(self, interval: interval, clock: clock)
  }

  /// Delivers at most one element per `interval`: the first, the last, or both.
  ///
  /// An element that arrives while no interval is running begins an interval. If elements were held back, the
  /// last of them becomes due at the end of the interval, and the next interval begins then. Two elements
  /// never become due less than `interval` apart, except at the end of the source.
  ///
  /// | event | `.leading` | `.trailing` | `.both` |
  /// | --- | --- | --- | --- |
  /// | the first element of an interval | at once | held back | at once |
  /// | later elements of the interval | skipped | the last is held back | the last is held back |
  /// | the interval is over | – | the element held back | the element held back, if any |
  /// | the source ends or fails | its end | the element held back, then its end | as `.trailing` |
  ///
  /// When the source ends or fails, the element held back and the end or the error are delivered at once.
  ///
  /// A slow consumer receives the latest element that is due. Older elements are skipped, and the order is
  /// kept. If `interval` is zero, every element passes directly from the source to the consumer.
  ///
  /// Isolation, errors, cancellation and cost are those of ``debounced(for:clock:)``.
  ///
  /// - Precondition: `interval` is not negative.
  public func throttled(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock(),
    emitting emission: ThrottleEmission = .both
  ) -> ThrottledSequence<Self> {
    ThrottledSequence(self, interval: interval, clock: clock, emission: emission)
  }
}

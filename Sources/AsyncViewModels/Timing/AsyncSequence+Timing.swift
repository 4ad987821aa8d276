extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// The elements after which this sequence was quiet for `interval`: what is typed in a burst comes out once.
  ///
  /// ```swift
  /// for await query in queries.debounced(for: .milliseconds(300), clock: clock) { … }
  /// ```
  ///
  /// | event | what the consumer sees |
  /// | --- | --- |
  /// | an element, then quiet for `interval` | that element |
  /// | an element before the last one's interval is over | nothing of the last one; the interval begins anew |
  /// | an element just as the last one's interval is over, or later | the last one, even where its timer is late |
  /// | the source ends while an element waits | that element at once, then the end |
  /// | the source fails while an element waits | that element at once, then the error |
  /// | the consumer is slow | the latest element that is due; older ones are left out, order is kept |
  /// | the consumer's task is cancelled | the end, at once; the element that waits is dropped |
  ///
  /// An `interval` of zero hands every element on as it comes, straight from the source.
  ///
  /// - Isolation: the source is read in a task of its own, from the first call of `next` on, and as fast as it
  ///   gives: there is no back-pressure on it, and memory is bounded by two elements. The iterator serves its caller
  ///   on the caller's actor.
  /// - Errors: those of the source, with their type.
  /// - Cancellation: cancelling the consumer's task, or dropping the iterator, cancels the reading of the source and
  ///   the timer, and frees the elements. Each iterator reads the source anew, so what two of them share is up to
  ///   the source.
  /// - Cost: per element a reading of the clock, a lock and a store; no task, no timer of its own.
  /// - Precondition: `interval` is not negative.
  public func debounced(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> DebouncedSequence<Self> {
    DebouncedSequence(self, interval: interval, clock: clock)
  }

  /// At most one element per `interval`: the first, the last, or both.
  ///
  /// An interval begins with an element that finds none running. Where elements were held back, the last of them
  /// comes when the interval is over, and the next interval begins there. Two elements are never handed on closer
  /// together than `interval`, except at the end.
  ///
  /// | event | `.leading` | `.trailing` | `.both` |
  /// | --- | --- | --- | --- |
  /// | the first element of an interval | at once | held back | at once |
  /// | later elements of the interval | left out | the last is held back | the last is held back |
  /// | the interval is over | – | the one held back | the one held back, if any |
  /// | the source ends or fails | the end, the error | the one held back at once, then the end, the error | as `.trailing` |
  ///
  /// A slow consumer gets the latest element that is due; older ones are left out, order is kept. An `interval` of zero
  /// hands every element on as it comes, straight from the source.
  ///
  /// - Isolation, errors, cancellation, cost: as ``debounced(for:clock:)``.
  /// - Precondition: `interval` is not negative.
  public func throttled(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock(),
    emitting emission: ThrottleEmission = .both
  ) -> ThrottledSequence<Self> {
    ThrottledSequence(self, interval: interval, clock: clock, emission: emission)
  }
}

/// A debounced or throttled sequence: a machine decides when it delivers an element of its source.
@usableFromInline
struct TimedSequence<Base: AsyncSequence & Sendable, Machine: TimedMachine>: AsyncSequence, Sendable
where Base.Element == Machine.Element {
  @usableFromInline typealias Element = Base.Element
  @usableFromInline typealias Failure = Base.Failure

  @usableFromInline let base: Base
  /// The machine before its first element. Each iterator uses a copy. `nil` if the interval is
  /// zero, so that every element passes directly from the source to the consumer.
  @usableFromInline let machine: Machine?
  @usableFromInline let clock: any Clock<Duration>

  @usableFromInline
  init(_ base: Base, interval: Duration, _ machine: Machine, _ clock: any Clock<Duration>) {
    guard interval >= .zero else {
      fatalError("debounced and throttled need an interval that is not negative, not \(interval)")
    }
    self.base = base
    self.machine = interval > .zero ? machine : nil
    self.clock = clock
  }

  /// Creates an iterator with its own iterator of the source.
  @inlinable
  func makeAsyncIterator() -> Iterator {
    guard let machine else { return Iterator(base.makeAsyncIterator(), nil) }
    return Iterator(nil, TimedIteration(source: base, machine: machine, clock: clock))
  }

  /// An iterator for one task. Releasing the iterator stops reading the source.
  @usableFromInline
  struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var direct: Base.AsyncIterator?
    @usableFromInline let timed: TimedIteration<Base, Machine>?

    @inlinable
    init(_ direct: Base.AsyncIterator?, _ timed: TimedIteration<Base, Machine>?) {
      self.direct = direct
      self.timed = timed
    }

    /// Returns the next element on the actor of the caller, or `nil` at the end or when the task is
    /// cancelled.
    @inlinable
    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      guard let timed else { return try await direct?.next(isolation: actor) }
      return try await timed.next(isolation: actor)
    }
  }
}

/// A sequence that delivers an element after its source has produced no other element for an interval.
///
/// Create it with ``_Concurrency/AsyncSequence/debounced(for:clock:)``.
public struct DebouncedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The type of the source's elements.
  public typealias Element = Base.Element
  /// The type of the source's errors.
  public typealias Failure = Base.Failure

  @usableFromInline let base: Base
  @usableFromInline let interval: Duration
  @usableFromInline let clock: any Clock<Duration>

  init(_ base: Base, interval: Duration, clock: any Clock<Duration>) {
    guard interval >= .zero else {
      fatalError("debounced(for:): the interval must not be negative, but is \(interval)")
    }
    self.base = base
    self.interval = interval
    self.clock = clock
  }

  /// Creates an iterator with its own iterator of the source.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    guard interval > .zero else { return Iterator(direct: base.makeAsyncIterator()) }
    let machine = DebounceMachine<Element>(interval: interval)
    return Iterator(timed: TimedIteration(source: base, machine: machine, clock: clock))
  }

  /// An iterator for one task. Releasing the iterator stops reading the source.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var direct: Base.AsyncIterator?
    @usableFromInline let timed: TimedIteration<Base, DebounceMachine<Element>>?

    @inlinable
    init(direct: Base.AsyncIterator) {
      self.direct = direct
      timed = nil
    }

    @inlinable
    init(timed: TimedIteration<Base, DebounceMachine<Element>>) {
      direct = nil
      self.timed = timed
    }

    /// Returns the next element on the actor of the caller, or `nil` at the end or when the task is
    /// cancelled.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      guard let timed else { return try await direct?.next(isolation: actor) }
      return try await timed.next(isolation: actor)
    }

    /// Returns the next element, or `nil` at the end or when the task is cancelled.
    @inlinable
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable, message: "an iterator can be used by one task only")
extension DebouncedSequence.Iterator: Sendable {}

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
  @inlinable
  mutating func receive(_ element: Element, at now: Duration) -> Element? {
    let due = wake(at: now)
    kept = element
    deadline = now + interval
    return due
  }

  @inlinable
  mutating func wake(at now: Duration) -> Element? {
    guard let deadline, deadline <= now else { return nil }
    return finish()
  }

  @inlinable
  mutating func finish() -> Element? {
    deadline = nil
    return kept.take()
  }
}

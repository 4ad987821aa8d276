/// A debounced or throttled sequence: a machine decides when it delivers an element of its source.
@usableFromInline
struct TimedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  @usableFromInline typealias Element = Base.Element
  @usableFromInline typealias Failure = Base.Failure
  @usableFromInline
  typealias Next = @Sendable (isolated (any Actor)?) async throws(Failure) -> Element?

  @usableFromInline let base: Base
  /// Begins an iteration with a copy of the machine. `nil` if the interval is zero, so that every
  /// element passes directly from the source to the consumer.
  @usableFromInline let iterate: (@Sendable () -> Next)?

  /// The closures keep the code of a machine out of apps that do not use it.
  @export(implementation)
  init<Machine: TimedMachine>(
    _ base: Base, interval: Duration, _ machine: Machine, _ clock: any Clock<Duration>
  ) where Machine.Element == Base.Element {
    guard interval >= .zero else {
      fatalError("debounced and throttled need an interval that is not negative, not \(interval)")
    }
    self.base = base
    guard interval > .zero else {
      iterate = nil
      return
    }
    iterate = {
      let iteration = TimedIteration(source: base, machine: machine, clock: clock)
      return { (actor: isolated (any Actor)?) async throws(Failure) -> Element? in
        try await iteration.next(isolation: actor)
      }
    }
  }

  /// Creates an iterator with its own iterator of the source.
  @export(implementation)
  func makeAsyncIterator() -> Iterator {
    guard let iterate else { return Iterator(base.makeAsyncIterator(), nil) }
    return Iterator(nil, iterate())
  }

  /// An iterator for one task. Releasing the iterator stops reading the source.
  @usableFromInline
  struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var direct: Base.AsyncIterator?
    @usableFromInline let timed: Next?

    @export(implementation)
    init(_ direct: Base.AsyncIterator?, _ timed: Next?) {
      self.direct = direct
      self.timed = timed
    }

    /// Returns the next element on the actor of the caller, or `nil` at the end or when the task is
    /// cancelled.
    @export(implementation)
    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      guard let timed else { return try await direct?.next(isolation: actor) }
      return try await timed(actor)
    }
  }
}

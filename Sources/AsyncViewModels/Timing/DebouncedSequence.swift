/// A sequence that waits until its source is quiet: see ``Swift/AsyncSequence/debounced(for:clock:)``.
public struct DebouncedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  public typealias Element = Base.Element
  public typealias Failure = Base.Failure

  private let base: Base
  private let interval: Duration
  private let clock: any Clock<Duration>

  init(_ base: Base, interval: Duration, clock: any Clock<Duration>) {
    guard interval >= .zero else {
      fatalError("debounced(for:): the interval must not be negative, but is \(interval)")
    }
    self.base = base
    self.interval = interval
    self.clock = clock
  }

  public func makeAsyncIterator() -> Iterator {
    guard interval > .zero else { return Iterator(direct: base.makeAsyncIterator()) }
    let machine = DebounceMachine<Element>(interval: interval)
    return Iterator(timed: TimedIteration(source: base, machine: machine, clock: clock))
  }

  /// One iteration. It belongs to the task that iterates; dropping it cancels the reading of the source.
  public struct Iterator: AsyncIteratorProtocol {
    private var direct: Base.AsyncIterator?
    private let timed: TimedIteration<Base, DebounceMachine<Element>>?

    fileprivate init(direct: Base.AsyncIterator) {
      self.direct = direct
      timed = nil
    }

    fileprivate init(timed: TimedIteration<Base, DebounceMachine<Element>>) {
      direct = nil
      self.timed = timed
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      guard let timed else { return try await direct?.next(isolation: actor) }
      return try await timed.next(isolation: actor)
    }

    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable, message: "an iterator belongs to the one task that iterates")
extension DebouncedSequence.Iterator: Sendable {}

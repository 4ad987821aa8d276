/// A sequence that thins out its source: see ``Swift/AsyncSequence/throttled(for:clock:emitting:)``.
public struct ThrottledSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  public typealias Element = Base.Element
  public typealias Failure = Base.Failure

  private let base: Base
  private let interval: Duration
  private let clock: any Clock<Duration>
  private let emission: ThrottleEmission

  init(_ base: Base, interval: Duration, clock: any Clock<Duration>, emission: ThrottleEmission) {
    guard interval >= .zero else {
      fatalError("throttled(for:): the interval must not be negative, but is \(interval)")
    }
    self.base = base
    self.interval = interval
    self.clock = clock
    self.emission = emission
  }

  public func makeAsyncIterator() -> Iterator {
    guard interval > .zero else { return Iterator(direct: base.makeAsyncIterator()) }
    let machine = ThrottleMachine<Element>(interval: interval, emission: emission)
    return Iterator(timed: TimedIteration(source: base, machine: machine, clock: clock))
  }

  /// One iteration. It belongs to the task that iterates; dropping it cancels the reading of the source.
  public struct Iterator: AsyncIteratorProtocol {
    private var direct: Base.AsyncIterator?
    private let timed: TimedIteration<Base, ThrottleMachine<Element>>?

    fileprivate init(direct: Base.AsyncIterator) {
      self.direct = direct
      timed = nil
    }

    fileprivate init(timed: TimedIteration<Base, ThrottleMachine<Element>>) {
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
extension ThrottledSequence.Iterator: Sendable {}

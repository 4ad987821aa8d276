/// A sequence that delivers elements of its source at least an interval apart.
///
/// Create it with ``_Concurrency/AsyncSequence/throttled(for:clock:emitting:)``.
public struct ThrottledSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The type of the source's elements.
  public typealias Element = Base.Element
  /// The type of the source's errors.
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

  /// Creates an iterator with its own iterator of the source.
  public func makeAsyncIterator() -> Iterator {
    guard interval > .zero else { return Iterator(direct: base.makeAsyncIterator()) }
    let machine = ThrottleMachine<Element>(interval: interval, emission: emission)
    return Iterator(timed: TimedIteration(source: base, machine: machine, clock: clock))
  }

  /// An iterator for one task. Releasing the iterator stops reading the source.
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

    /// Returns the next element on the actor of the caller, or `nil` at the end or when the task is
    /// cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      guard let timed else { return try await direct?.next(isolation: actor) }
      return try await timed.next(isolation: actor)
    }

    /// Returns the next element, or `nil` at the end or when the task is cancelled.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable, message: "an iterator can be used by one task only")
extension ThrottledSequence.Iterator: Sendable {}

/// Decides which elements of an interval a throttled sequence delivers.
public enum ThrottleEmission: Sendable, CaseIterable {
  /// The first element, at once. The other elements are skipped.
  case leading
  /// The last element, at the end of the interval. The other elements are skipped.
  case trailing
  /// The first element, at once. If other elements follow, also the last of them, at the end of the interval.
  case both
}

/// Selects elements that are at least an interval apart: the first of an interval, the last, or both.
@usableFromInline
struct ThrottleMachine<Element: Sendable>: TimedMachine {
  private let interval: Duration
  private let emission: ThrottleEmission
  private var kept: Element?

  /// The end of the latest interval, before which no other element becomes due. `nil` before the first element.
  private var closedUntil: Duration?

  init(interval: Duration, emission: ThrottleEmission) {
    self.interval = min(interval, .longestDelay)
    self.emission = emission
  }

  /// The end of the interval if an element is kept, otherwise `nil`: without a kept element, ``receive(_:at:)``
  /// checks whether the interval has ended.
  @usableFromInline var deadline: Duration? { kept == nil ? nil : closedUntil }

  /// Returns the element that is due by `now`, if any: the kept element, whose timer may be late, or `element`.
  @usableFromInline
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

  @usableFromInline
  mutating func wake(at now: Duration) -> Element? {
    guard let deadline, deadline <= now else { return nil }
    closedUntil = now + interval
    return kept.take()
  }

  @usableFromInline
  mutating func finish() -> Element? { kept.take() }
}

import AsyncViewModelsTesting

/// Passes a sequence on, and lets a probe wait until its reader has taken in what it got: until it asks for the next.
struct WatchedDemand<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Failure == Never, Base.Element: Sendable {
  let base: Base
  /// Where the reader arrives each time that it asks for an element.
  let demand = Gate(isOpen: true)

  init(_ base: Base) { self.base = base }

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), demand: demand) }

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let demand: Gate

    mutating func next(isolation: isolated (any Actor)?) async -> Base.Element? {
      await demand.wait()
      return await base.next(isolation: isolation)
    }

    mutating func next() async -> Base.Element? { await next(isolation: #isolation) }
  }
}

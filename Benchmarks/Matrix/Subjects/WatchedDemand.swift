import AsyncViewModelsTesting

/// Forwards a sequence, and lets a probe wait until the reader has processed an element. The reader has done so when it asks
/// for the next element.
struct WatchedDemand<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Failure == Never, Base.Element: Sendable {
  let base: Base
  /// The reader passes this gate each time that it asks for an element.
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

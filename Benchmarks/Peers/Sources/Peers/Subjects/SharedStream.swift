import AsyncAlgorithms

/// An `AsyncStream` that `share` turns into a sequence for several observers.
struct SharedStream<Shared: AsyncSequence<Int, Never> & Sendable>: Sendable {
  let values: Shared
  private let continuation: AsyncStream<Int>.Continuation

  init(share: (AsyncStream<Int>) -> Shared) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    self.continuation = continuation
    values = share(stream)
  }

  func send(_ values: ClosedRange<Int>) {
    for value in values { continuation.yield(value) }
  }
}

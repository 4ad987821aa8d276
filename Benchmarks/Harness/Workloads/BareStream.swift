import AsyncViewModels

/// An `AsyncStream` and its continuation: one sender, one observer, no current value.
struct BareStream: Sendable {
  let values: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation

  init() {
    (values, continuation) = AsyncStream.makeStream()
  }

  func send(_ value: Int) { continuation.yield(value) }
}

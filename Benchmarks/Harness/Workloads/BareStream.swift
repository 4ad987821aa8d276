/// An `AsyncStream` and its continuation: one sender, one observer, no current value.
public struct BareStream: Sendable {
  public let values: AsyncStream<Int>
  @usableFromInline let continuation: AsyncStream<Int>.Continuation

  public init() {
    (values, continuation) = AsyncStream.makeStream()
  }

  @inlinable
  public func send(_ value: Int) { continuation.yield(value) }
}

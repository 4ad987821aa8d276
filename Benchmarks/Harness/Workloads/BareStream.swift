/// An `AsyncStream` and its continuation: one sender, one observer, no current value.
public struct BareStream: Sendable {
  /// The stream of the values.
  public let values: AsyncStream<Int>
  @usableFromInline let continuation: AsyncStream<Int>.Continuation

  /// Creates a stream that keeps all unread values.
  public init() {
    (values, continuation) = AsyncStream.makeStream()
  }

  /// Yields a value to the stream.
  @inlinable
  public func send(_ value: Int) { continuation.yield(value) }

  /// Ends the stream after its unread values.
  @inlinable
  public func finish() { continuation.finish() }
}

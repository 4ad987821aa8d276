extension AsyncIteratorProtocol {
  /// Ends the observation of each stream that this iterator reads from, because the current task is
  /// cancelled and does not read any more.
  ///
  /// A stream notices the cancellation of its reader only in `next`. Until then, a stream that is
  /// kept elsewhere keeps its producer, its buffer and its place among the observers. The stream
  /// can be below other iterators: a `filter` stores the iterator that it reads from. This method
  /// therefore searches the stored properties, and reads only from the streams that it finds, which
  /// do not wait. Other sequences are not read, because they may ignore the cancellation and wait
  /// for their next element. An iterator that hides a stream in a class or a closure keeps the
  /// stream until it is released.
  @usableFromInline
  func noticeCancellation(isolation: isolated (any Actor)? = #isolation) async {
    for var stream in streams(in: self) { _ = try? await stream.next(isolation: isolation) }
  }
}

/// The iterator of a stream. If its task is cancelled, `next` ends the stream and does not wait.
/// Copies read from the same stream.
private protocol StreamIterator: AsyncIteratorProtocol {}

extension AsyncStream.Iterator: StreamIterator {}
extension AsyncThrowingStream.Iterator: StreamIterator {}
extension ObserverSequence.Iterator: StreamIterator {}

/// Returns the iterators of streams that are `value` or stored in `value`.
private func streams(in value: Any) -> [any StreamIterator] {
  if let stream = value as? any StreamIterator { return [stream] }
  let mirror = Mirror(reflecting: value)
  return switch mirror.displayStyle {
  case .struct, .enum, .optional, .tuple: mirror.children.flatMap { streams(in: $0.value) }
  default: []
  }
}

import Synchronization

/// A completion handler that is called once, by whoever comes first.
final class SingleCompletion<Value: Sendable>: Sendable {
  private let handler: Mutex<(@Sendable (Result<Value, any Error>) -> Void)?>

  init(_ handler: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    self.handler = Mutex(handler)
  }

  /// Calls the handler with what `result` makes, on this thread; where it was called before, `result` is not even made.
  func complete(with result: () -> Result<Value, any Error>) {
    guard let handler = handler.withLock({ $0.take() }) else { return }
    handler(result())
  }
}

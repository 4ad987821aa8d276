import Synchronization

/// A result that arrives once, for one reader: the first ``settle(_:)`` counts, before or after the reader has come.
final class OneShot<Value: Sendable>: Sendable {
  @safe
  private enum Phase {
    case open
    case awaited(UnsafeContinuation<Value, any Error>)
    case settled(Result<Value, any Error>)
    case read
  }

  private let phase = Mutex(Phase.open)

  /// Keeps or hands over `result`. Returns false, and does nothing, where another result came first.
  @discardableResult
  func settle(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, reader) = unsafe phase.withLock { phase -> (Bool, UnsafeContinuation<Value, any Error>?) in
      switch phase {
      case .open:
        phase = .settled(result)
        return (true, nil)
      case .awaited(let continuation):
        phase = .read
        return unsafe (true, continuation)
      case .settled, .read:
        return (false, nil)
      }
    }
    unsafe reader?.resume(with: result)
    return isFirst
  }

  /// Takes the result, where it has come already: that is a read.
  func take() -> Result<Value, any Error>? {
    phase.withLock { phase in
      guard case .settled(let result) = phase else { return nil }
      phase = .read
      return result
    }
  }

  /// Waits for the result. It takes no notice of cancellation: whoever cancels settles. Read once.
  var value: Value {
    get async throws {
      try unsafe await withUnsafeThrowingContinuation { continuation in
        let settled = phase.withLock { phase -> Result<Value, any Error>? in
          guard case .settled(let result) = phase else {
            phase = unsafe .awaited(continuation)
            return nil
          }
          phase = .read
          return result
        }
        if let settled { unsafe continuation.resume(with: settled) }
      }
    }
  }
}

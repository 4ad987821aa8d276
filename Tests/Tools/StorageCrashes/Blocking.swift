import AsyncViewModels
import Dispatch
import Synchronization

/// Starts a call with a completion handler, and blocks the thread until the call has ended.
///
/// This program is synchronous: only its main thread waits.
func blocking<Value: Sendable>(
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken
) throws -> Value {
  let pending = PendingResult<Value>()
  let token = start { pending.end($0) }
  return try withExtendedLifetime(token) { try pending.wait() }
}

/// The result of a call that another thread waits for.
final class PendingResult<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func end(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    semaphore.signal()
  }

  func wait() throws -> Value {
    semaphore.wait()
    guard let result = result.withLock({ $0 }) else {
      preconditionFailure("PendingResult.wait: the result is set before the signal")
    }
    return try result.get()
  }
}

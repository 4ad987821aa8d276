public import Dispatch
import Synchronization

/// Runs async work for a caller that has a completion handler.
///
/// Use it to keep a legacy interface while its implementation is already async:
///
/// ```swift
/// func orders(completion: @escaping @Sendable (Result<[Order], any Error>) -> Void) -> CancellationToken {
///   performAsync(completion: completion) { try await service.orders() }
/// }
/// ```
///
/// `completion` is called **exactly once**, never within this call or within `cancel()`.
///
/// - Isolation: `work` runs in a new task, on no actor. `completion` is called on `queue`. Without a queue it
///   is called on the thread on which the work ended or, after a cancellation, on a global queue.
/// - Cancellation: Cancelling or releasing the token cancels the task and delivers a `CancellationError` at
///   once, without waiting for work that ignores the cancellation. The later result of that work is dropped.
///   After the result has been delivered, a cancel does nothing.
/// - Ownership: The task retains the captures of `work` until the work ends. `completion` is released with
///   the first result.
/// - Complexity: One task and one block on the queue.
public func performAsync<Value: Sendable>(
  completion: @escaping @Sendable (Result<Value, any Error>) -> Void, on queue: DispatchQueue? = nil,
  _ work: @escaping @Sendable () async throws -> Value
) -> CancellationToken {
  let completion = OneTimeCompletion(completion)
  let liveObject = LiveObjectToken(.task, "performAsync")
  let task = Task {
    defer { liveObject.end() }
    let result: Result<Value, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    completion.call(with: result, on: queue)
  }
  return CancellationToken {
    // Before the task is cancelled, so that the work's reaction to the cancellation is not delivered.
    completion.call(with: .failure(CancellationError()), on: queue ?? .global())
    task.cancel()
  }
}

/// A completion handler that is called at most once.
private final class OneTimeCompletion<Value: Sendable>: Sendable {
  typealias Completion = @Sendable (Result<Value, any Error>) -> Void

  private let completion: Mutex<Completion?>

  init(_ completion: @escaping Completion) { self.completion = Mutex(completion) }

  func call(with result: Result<Value, any Error>, on queue: DispatchQueue?) {
    guard let completion = completion.withLock({ $0.take() }) else { return }
    guard let queue else { return completion(result) }
    queue.async { completion(result) }
  }
}

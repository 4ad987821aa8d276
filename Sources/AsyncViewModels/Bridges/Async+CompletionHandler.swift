public import Dispatch
import Synchronization

/// Runs async work for a caller that has only a completion handler: new code in, legacy call out.
///
/// ```swift
/// func orders(completion: @escaping @Sendable (Result<[Order], any Error>) -> Void) -> CancellationToken {
///   performAsync(completion: completion) { try await service.orders() }
/// }
/// ```
///
/// - Promises: `completion` is called **exactly once**, never within this call or within `cancel()`.
/// - Isolation: `work` runs in a task of its own, on no actor. `completion` is called on `queue`; without one, on the
///   thread where the work ended (or, after a cancellation, on a global queue).
/// - Cancellation: the token, or its end, cancels the task and delivers a `CancellationError` at once, without waiting for
///   work that ignores it; what that still returns or throws is dropped. After the answer a cancel does nothing.
/// - Ownership: the task holds what `work` captured until the work ends; `completion` goes with the first answer.
/// - Cost: one task; one turn of the queue.
public func performAsync<Value: Sendable>(
  completion: @escaping @Sendable (Result<Value, any Error>) -> Void, on queue: DispatchQueue? = nil,
  _ work: @escaping @Sendable () async throws -> Value
) -> CancellationToken {
  let answer = Answer(completion)
  let entry = LiveObjectToken(.task, "performAsync")
  let task = Task {
    defer { entry.end() }
    let result: Result<Value, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    answer.give(result, on: queue)
  }
  return CancellationToken {
    // Before the task hears of it: what it makes of its cancellation is not the answer.
    answer.give(.failure(CancellationError()), on: queue ?? .global())
    task.cancel()
  }
}

/// A completion handler that can be called once.
private final class Answer<Value: Sendable>: Sendable {
  typealias Completion = @Sendable (Result<Value, any Error>) -> Void

  private let completion: Mutex<Completion?>

  init(_ completion: @escaping Completion) { self.completion = Mutex(completion) }

  func give(_ result: Result<Value, any Error>, on queue: DispatchQueue?) {
    guard let completion = completion.withLock({ $0.take() }) else { return }
    guard let queue else { return completion(result) }
    queue.async { completion(result) }
  }
}

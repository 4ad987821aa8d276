/// Calls an API that takes a completion handler, and waits for the result.
///
/// ```swift
/// let page = try await withCompletionHandler { completion in
///   service.page(request, completion: completion)
/// }
/// ```
///
/// It returns or throws **exactly once**. Only the first call of the handler has an effect. A second call, or
/// a call after a cancellation, is dropped. The handler may be called on any thread. If it is called within
/// `start`, the task does not suspend.
///
/// - Isolation: The caller's. `start` runs before the first suspension.
/// - Cancellation: Throws `CancellationError` at once and cancels the token, without waiting for the handler,
///   which may never be called. If the task is already cancelled, `start` does not run. For a call that
///   cannot be cancelled, return ``CancellationToken/ended``: the call continues, and its result is dropped.
/// - Ownership: The token is kept until the end, and then marked as finished.
/// - Complexity: One object and no task.
/// - Throws: The error that the handler receives, or `CancellationError`. If the handler may never be called,
///   set a deadline with ``withCompletionHandler(deadline:clock:_:)``.
@inlinable
public nonisolated(nonsending) func withCompletionHandler<Value: Sendable>(
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken
) async throws -> Value {
  try Task.checkCancellation()
  let answer = Promise<Value>()
  let token = start { answer.resolve($0) }
  // However the wait ends, there is nothing left to cancel afterwards.
  defer { token.finish() }
  if let result = answer.take() { return try result.get() }
  return try await answer.value(cancelling: token)
}

/// Calls an API that takes a completion handler, and waits for the result until a deadline.
///
/// Use it if the handler may never be called. It keeps all guarantees of ``withCompletionHandler(_:)``.
///
/// - Cancellation: The deadline ends the call as a cancellation does: it cancels the token, and a later
///   result is dropped.
/// - Complexity: A child task that sleeps on `clock`, unless the handler is called within `start`. The child
///   task has ended when this function returns.
/// - Throws: ``DeadlineExceeded`` if no result arrives within `deadline`, counted from the return of `start`.
///   If `deadline` is not positive, the error is thrown at once, and `start` does not run.
public nonisolated(nonsending) func withCompletionHandler<Value: Sendable>(
  deadline: Duration, clock: any Clock<Duration> = ContinuousClock(),
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken
) async throws -> Value {
  try Task.checkCancellation()
  guard deadline > .zero else { throw DeadlineExceeded(duration: deadline) }
  let answer = Promise<Value>()
  let token = start { answer.resolve($0) }
  defer { token.finish() }
  if let result = answer.take() { return try result.get() }
  // Leaving this scope cancels the timer and waits for it.
  async let _ = answer.expire(with: DeadlineExceeded(duration: deadline)) {
    try await clock.sleep(for: deadline)
  } onExpiry: {
    token.cancel()
  }
  return try await answer.value(cancelling: token)
}

/// Calls an API that passes a plain value to a callback and cannot be cancelled, and waits for the value.
///
/// ```swift
/// let settings = try await withCallback { center.getNotificationSettings(completionHandler: $0) }
/// ```
///
/// It keeps the guarantees, the isolation and the cost of ``withCompletionHandler(_:)``.
///
/// - Cancellation: Throws `CancellationError` at once. The call continues, and its value is dropped.
/// - Throws: `CancellationError` if the task is cancelled.
@inlinable
public nonisolated(nonsending) func withCallback<Value: Sendable>(
  _ start: (@escaping @Sendable (Value) -> Void) -> Void
) async throws -> Value {
  try await withCompletionHandler { completion in
    start { completion(.success($0)) }
    return .ended
  }
}

extension Promise {
  /// Waits for the result. A cancellation of the task resolves the promise with `CancellationError` and
  /// cancels `token`.
  ///
  /// Each side resolves the promise first. Only the winner then resumes the task, and only a winning
  /// cancellation cancels the token. So a service can call its handler under the lock that its cancellation
  /// takes, and cannot deadlock with this function.
  @inlinable
  nonisolated(nonsending) func value(cancelling token: CancellationToken) async throws -> Value {
    try await withTaskCancellationHandler {
      try await value
    } onCancel: {
      if resolve(.failure(CancellationError())) { token.cancel() }
    }
  }
}

/// Waits for a completion handler: legacy call in, `async throws` out.
///
/// ```swift
/// let page = try await withCompletionHandler { completion in
///   service.page(request, completion: completion)
/// }
/// ```
///
/// - Promises: returns or throws **exactly once**, whatever the handler does. The first call of the handler counts;
///   a second one, or one that comes after a cancellation, is dropped. It may be called on any thread, or at once,
///   within `start`: then nothing is suspended.
/// - Isolation: the caller's. `start` runs before the first suspension.
/// - Cancellation: throws `CancellationError` at once and cancels the token, without waiting for the handler, which
///   may never come. A task that is cancelled already does not run `start` at all. For a call that cannot be called
///   off return ``CancellationToken/ended``: its answer is dropped, its work goes on.
/// - Throws: what the handler delivers, or `CancellationError`. Where the handler may never be called, set a
///   deadline: ``withCompletionHandler(deadline:clock:_:)``.
/// - Cost: one object, and no task. The token is kept until the end, and marked as finished then.
@inlinable
public nonisolated(nonsending) func withCompletionHandler<Value: Sendable>(
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken
) async throws -> Value {
  try Task.checkCancellation()
  let answer = Promise<Value>()
  let token = start { answer.resolve($0) }
  // Whichever way it ends, nothing is left to be called off then.
  defer { token.finish() }
  if let result = answer.take() { return try result.get() }
  return try await answer.value(cancelling: token)
}

/// Waits for a callback that hands over a plain value and cannot be called off.
///
/// ```swift
/// let settings = try await withCallback { center.getNotificationSettings(completionHandler: $0) }
/// ```
///
/// Promises, isolation and cost are those of ``withCompletionHandler(_:)``. A cancellation throws
/// `CancellationError` at once; the call goes on, and its value is dropped.
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
  /// Waits for the result, or for the task's cancellation, which settles with `CancellationError` and cancels `token`.
  ///
  /// The ending is claimed first and acted on afterwards: only one side ever resumes the task or cancels the token. So a
  /// service that calls its handler under a lock which its cancellation takes too cannot deadlock against this.
  @inlinable
  nonisolated(nonsending) func value(cancelling token: CancellationToken) async throws -> Value {
    try await withTaskCancellationHandler {
      try await value
    } onCancel: {
      if resolve(.failure(CancellationError())) { token.cancel() }
    }
  }
}

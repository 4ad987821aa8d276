public import Foundation

/// Calls an API that takes a completion handler, and waits for the result.
///
/// ```swift
/// let page = try await withCompletionHandler { completion in
///   service.page(request, completion: completion)
/// }
/// ```
///
/// This function returns or throws **exactly once**:
///
/// | event | effect |
/// | --- | --- |
/// | the handler is called, on any thread | Returns its value or throws its error. A call within `start` does not suspend the task. |
/// | the handler is called again, or after a cancellation | Nothing. |
/// | the task is cancelled | Cancels the token, on the thread that cancels the task, and then throws `CancellationError`. Does not wait for the handler. |
/// | the task is cancelled before this call | Throws `CancellationError`. `start` does not run. |
///
/// If the API cannot cancel its call, return ``CancellationToken/finished`` from `start`. If the
/// handler may never be called, set a deadline with ``withCompletionHandler(deadline:clock:_:)``.
///
/// - Isolation: `start` runs on the caller's actor, before the first suspension.
/// - Ownership: This function keeps the token until it returns or throws, and then marks the token
///   as finished.
/// - Complexity: One object and no task.
/// - Throws: The error that the handler receives or that `start` throws, or `CancellationError`.
@export(implementation)
public nonisolated(nonsending) func withCompletionHandler<Value: Sendable>(
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) throws -> CancellationToken
) async throws -> Value {
  try Task.checkCancellation()
  let promise = Promise<Value>()
  let token = try start { promise.resolve($0) }
  // When the wait has ended, with a result or a cancellation, nothing is left to cancel.
  defer { token.finish() }
  if let result = promise.take() { return try result.get() }
  return try await promise.value(cancelling: token)
}

/// Calls an API that takes a completion handler, and waits for the result until a deadline.
///
/// Use this function if the handler may never be called. All guarantees of
/// ``withCompletionHandler(_:)`` apply.
///
/// - Cancellation: After the deadline, this function cancels the token, throws, and drops a later
///   result. A cancellation action that waits delays the error.
/// - Complexity: One child task that sleeps on `clock`, unless the handler is called within
///   `start`. The child task has ended when this function returns.
/// - Throws: ``DeadlineExceeded`` if no result arrives within `deadline`, counted from the return
///   of `start`. If `deadline` is not positive, this function throws the error at once, and `start`
///   does not run.
@export(implementation)
public nonisolated(nonsending) func withCompletionHandler<Value: Sendable>(
  deadline: Duration, clock: any Clock<Duration> = ContinuousClock(),
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) throws -> CancellationToken
) async throws -> Value {
  try Task.checkCancellation()
  guard deadline > .zero else { throw DeadlineExceeded(duration: deadline) }
  let promise = Promise<Value>()
  let token = try start { promise.resolve($0) }
  defer { token.finish() }
  if let result = promise.take() { return try result.get() }
  let stopwatch = Stopwatch(clock)
  // When this scope ends, the timer is cancelled and awaited.
  async let _ = promise.expire(with: DeadlineExceeded(duration: deadline)) {
    try await stopwatch.sleep(min(deadline, .longestDelay))
  } onExpiry: {
    token.cancel()
  }
  return try await promise.value(cancelling: token)
}

/// Calls an API that passes one value to a callback and cannot be cancelled. Waits for the value.
///
/// ```swift
/// let settings = try await withCallback { center.getNotificationSettings(completionHandler: $0) }
/// ```
///
/// The guarantees, the isolation and the cost are those of ``withCompletionHandler(_:)``.
///
/// - Throws: `CancellationError` as soon as the task is cancelled, or the error of `start`.
@export(implementation)
public nonisolated(nonsending) func withCallback<Value: Sendable>(
  _ start: (@escaping @Sendable (Value) -> Void) throws -> Void
) async throws -> Value {
  try await withCompletionHandler { completion in
    try start { completion(.success($0)) }
    return .finished
  }
}

// If a closure ignores its handler, the compiler prefers the function whose handler takes a
// `Result`, because of `@_disfavoredOverload`.

/// Calls an API whose completion handler takes an error or `nil`, and waits until the handler is
/// called.
///
/// ```swift
/// try await withCompletionHandler { completion in
///   store.save(draft, completion: completion)  // calls `completion(error)` or `completion(nil)`
///   return .finished
/// }
/// ```
///
/// The guarantees are those of ``withCompletionHandler(_:)`` and, with a `deadline`, of
/// ``withCompletionHandler(deadline:clock:_:)``.
///
/// - Throws: The error that the handler receives, and the errors of these functions.
@export(implementation) @_disfavoredOverload
public nonisolated(nonsending) func withCompletionHandler(
  deadline: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
  error start: (@escaping @Sendable ((any Error)?) -> Void) throws -> CancellationToken
) async throws {
  let start = { (completion: @escaping @Sendable (Result<Void, any Error>) -> Void) in
    try start { error in completion(error.map { .failure($0) } ?? .success(())) }
  }
  guard let deadline else { return try await withCompletionHandler(start) }
  try await withCompletionHandler(deadline: deadline, clock: clock, start)
}

/// Calls an API whose completion handler takes a value and an error, one of which is `nil`. Waits
/// for the value.
///
/// ```swift
/// let image = try await withCompletionHandler { completion in
///   // Calls `completion(image, nil)` or `completion(nil, error)`.
///   loader.load(url, completion: completion)
///   return .finished
/// }
/// ```
///
/// The guarantees are those of ``withCompletionHandler(_:)`` and, with a `deadline`, of
/// ``withCompletionHandler(deadline:clock:_:)``.
///
/// - Throws: The error that the handler receives, ``MissingResult`` if it receives neither a value
///   nor an error, and the errors of these functions. If the handler receives both, this function
///   throws the error.
@export(implementation) @_disfavoredOverload
public nonisolated(nonsending) func withCompletionHandler<Value: Sendable>(
  deadline: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
  valueAndError start: (@escaping @Sendable (Value?, (any Error)?) -> Void) throws -> CancellationToken
) async throws -> Value {
  let start = { (completion: @escaping @Sendable (Result<Value, any Error>) -> Void) in
    try start { value, error in
      completion(value.flatMap { error == nil ? .success($0) : nil } ?? .failure(error ?? MissingResult()))
    }
  }
  guard let deadline else { return try await withCompletionHandler(start) }
  return try await withCompletionHandler(deadline: deadline, clock: clock, start)
}

/// The error for a completion handler that received neither a value nor an error.
public struct MissingResult: Error, Equatable {
  /// Creates an error.
  public init() {}
}

extension MissingResult: CustomStringConvertible, LocalizedError {
  public var description: String { "The completion handler received neither a value nor an error." }

  public var errorDescription: String? { description }
}

extension Promise {
  /// Waits for the result. If the task is cancelled before the result arrives, resolves the promise
  /// with `CancellationError` and cancels `token`.
  ///
  /// Only the first of the handler and the cancellation resolves the promise, and a cancellation
  /// that comes second leaves the token alone. So a service may call its handler while it holds the
  /// lock that its cancellation handler takes.
  @export(implementation)
  nonisolated(nonsending) func value(cancelling token: CancellationToken) async throws -> Value {
    try await withTaskCancellationHandler {
      try await value
    } onCancel: {
      resolve(throwing: CancellationError()) { token.cancel() }
    }
  }
}

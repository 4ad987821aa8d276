/// Waits for a completion handler, but not past a deadline: for a handler that may never be called.
///
/// It keeps every promise of ``withCompletionHandler(_:)``, and beyond those:
/// - Cancellation: the deadline abandons the call just as a cancellation does. The token is cancelled, and an answer
///   that comes later is dropped.
/// - Throws: ``DeadlineExceeded`` where no answer came within `deadline`, counted from the return of `start`. A
///   deadline that is not positive throws it at once, and `start` is not run.
/// - Cost: a child task that sleeps on `clock`, unless the answer comes within `start`. It has ended when this returns.
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
  // Leaving this scope cancels the timer, and waits for it.
  async let _ = answer.expire(with: DeadlineExceeded(duration: deadline)) {
    try await clock.sleep(for: deadline)
  } callOff: {
    token.cancel()
  }
  return try await answer.value(cancelling: token)
}

/// Runs an operation that has to be done within `duration`, and does not wait for it any longer than that: for
/// operations that ignore cancellation.
///
/// | event | what the caller gets |
/// | --- | --- |
/// | the operation ends in time | its value or its error |
/// | time runs out | ``DeadlineExceeded`` at once; the operation is cancelled and left behind |
/// | the operation ends at the very moment when time runs out | what came first; never both, never neither |
/// | the caller's task is cancelled | `CancellationError` at once; the operation is cancelled and left behind |
/// | `duration` is not positive | ``DeadlineExceeded`` at once; the operation is not begun |
///
/// What an operation that was left behind still returns or throws is dropped, and it keeps what it has captured until
/// it ends. Prefer ``withDeadline(_:clock:isolation:operation:)`` wherever the operation reacts to cancellation.
///
/// - Isolation: the operation may outlive the call, so it runs on no actor of the caller's.
/// - Throws: ``DeadlineExceeded``, which names `duration`, `CancellationError`, or what the operation throws.
/// - Cost: two tasks.
public func withAbandoningDeadline<Value: Sendable, C: Clock>(
  _ duration: Duration, clock: C = ContinuousClock(),
  operation: @escaping @Sendable () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  try await finish(
    operation, by: clock.now.advanced(by: duration), on: clock, or: DeadlineExceeded(duration: duration))
}

/// Runs an operation that has to be done by `instant`, and does not wait for it any longer than that.
///
/// It promises what ``withAbandoningDeadline(_:clock:operation:)`` does.
///
/// - Throws: ``DeadlineExceeded``, which names the time that was left when the call began, `CancellationError`, or
///   what the operation throws.
public func withAbandoningDeadline<Value: Sendable, C: Clock>(
  until instant: C.Instant, clock: C, operation: @escaping @Sendable () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  try await finish(
    operation, by: instant, on: clock, or: DeadlineExceeded(duration: clock.now.duration(to: instant)))
}

/// Both forms: the error names the time as it was asked for, which is no longer what the clock has left by now.
private func finish<Value: Sendable, C: Clock>(
  _ operation: @escaping @Sendable () async throws -> Value, by instant: C.Instant, on clock: C,
  or expiry: DeadlineExceeded
) async throws -> Value where C.Duration == Duration {
  guard expiry.duration > .zero else { throw expiry }

  let race = Promise<Value>()
  let entry = LiveObjectToken(.task, "withAbandoningDeadline")
  let work = Task {
    defer { entry.end() }
    do { race.resolve(.success(try await operation())) } catch { race.resolve(.failure(error)) }
  }
  // Leaving this scope cancels the timer, and waits for it.
  async let _ = race.expire(with: expiry) {
    try await clock.sleep(until: instant, tolerance: nil)
  } callOff: {
    work.cancel()
  }
  return try await withTaskCancellationHandler {
    try await race.value
  } onCancel: {
    if race.resolve(.failure(CancellationError())) { work.cancel() }
  }
}

/// Runs an operation that has to be done within `duration`.
///
/// | event | what the caller gets |
/// | --- | --- |
/// | the operation ends in time | its value or its error |
/// | time runs out | the operation is cancelled; ``DeadlineExceeded`` once it has ended |
/// | the operation ends after that, with a value or an error | ``DeadlineExceeded``: what comes late is dropped |
/// | the operation ends at the very moment when time runs out | what came first; never both, never neither |
/// | the caller's task is cancelled | whatever the cancelled operation returns or throws |
/// | `duration` is not positive | ``DeadlineExceeded`` at once; the operation is not begun |
///
/// The call is structured: when it returns, neither the operation nor its timer runs any more. It therefore **waits**
/// for an operation that ignores cancellation, however long that takes; for such an operation there is
/// ``withAbandoningDeadline(_:clock:operation:)``.
///
/// - Isolation: the operation runs on the caller's actor.
/// - Throws: ``DeadlineExceeded``, which names `duration`, or what the operation throws.
/// - Cancellation: passed on to the operation. From then on the deadline no longer counts.
/// - Cost: two tasks.
public func withDeadline<Value: Sendable, C: Clock>(
  _ duration: Duration, clock: C = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  operation: @escaping () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  try await finish(
    operation, by: clock.now.advanced(by: duration), on: clock, or: DeadlineExceeded(duration: duration))
}

/// Runs an operation that has to be done by `instant`: a deadline that several operations may share.
///
/// It promises what ``withDeadline(_:clock:isolation:operation:)`` does.
///
/// - Throws: ``DeadlineExceeded``, which names the time that was left when the call began, or what the operation
///   throws.
public func withDeadline<Value: Sendable, C: Clock>(
  until instant: C.Instant, clock: C, isolation: isolated (any Actor)? = #isolation,
  operation: @escaping () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  try await finish(
    operation, by: instant, on: clock, or: DeadlineExceeded(duration: clock.now.duration(to: instant)))
}

/// Both forms: the error names the time as it was asked for, which is no longer what the clock has left by now.
private func finish<Value: Sendable, C: Clock>(
  _ operation: @escaping () async throws -> Value, by instant: C.Instant, on clock: C,
  or expiry: DeadlineExceeded, isolation: isolated (any Actor)? = #isolation
) async throws -> Value where C.Duration == Duration {
  guard expiry.duration > .zero else { throw expiry }

  let race = Promise<Value>()
  let entry = LiveObjectToken(.task, "withDeadline")
  let work = Task {
    defer { entry.end() }
    // A task's closure is isolated to a parameter only if it captures it.
    _ = isolation
    do { race.resolve(.success(try await operation())) } catch { race.resolve(.failure(error)) }
  }
  // Leaving this scope cancels the timer, and waits for it.
  async let _ = race.expire(with: expiry) {
    try await clock.sleep(until: instant, tolerance: nil)
  } callOff: {
    work.cancel()
  }
  await withTaskCancellationHandler {
    await work.value
  } onCancel: {
    work.cancel()
  }
  return try await race.value
}

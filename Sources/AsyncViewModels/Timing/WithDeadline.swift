public import Foundation
public import Synchronization

/// Runs an operation that has to end within `duration`, and waits until the operation has ended.
///
/// ```swift
/// let page = try await withDeadline(.seconds(5), clock: clock) { try await service.page(request) }
/// ```
///
/// | event | what the caller receives |
/// | --- | --- |
/// | the operation ends in time | its value or its error |
/// | the time runs out | ``DeadlineExceeded``, after the operation was cancelled and has ended |
/// | the operation ends after the time has run out | ``DeadlineExceeded``; the operation's result is dropped |
/// | the operation ends just as the time runs out | the result that came first, never both |
/// | the caller's task is cancelled | the value or error with which the cancelled operation ends |
/// | the caller's task is cancelled before the operation begins | `CancellationError`; the operation does not start |
/// | `duration` is not positive | ``DeadlineExceeded`` at once; the operation does not start |
///
/// When the call returns, neither the operation nor its timer is running. The call therefore
/// **waits** for an operation that ignores cancellation. Use
/// ``withAbandoningDeadline(_:clock:operation:)`` for such an operation.
///
/// - Isolation: The operation runs on the caller's actor.
/// - Cancellation: Cancelling the caller cancels the operation. After that, the deadline has no
///   effect.
/// - Throws: ``DeadlineExceeded`` with `duration`, `CancellationError`, or the error of the
///   operation.
/// - Complexity: Two tasks.
/// - Precondition: `clock` can represent the instant that is `duration` away. This function uses no
///   later instant.
@export(implementation)
public func withDeadline<Value: Sendable, C: Clock>(
  _ duration: Duration, clock: C = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  operation: @escaping () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  try await finish(
    operation, by: clock.now.advanced(by: min(duration, .longestDelay)), on: clock,
    or: DeadlineExceeded(duration: duration))
}

/// Runs an operation that has to end by `instant`, a deadline that several operations can share.
///
/// The guarantees are those of ``withDeadline(_:clock:isolation:operation:)``.
///
/// - Throws: ``DeadlineExceeded`` with the time that was left when the call began,
///   `CancellationError`, or the error of the operation.
@export(implementation)
public func withDeadline<Value: Sendable, C: Clock>(
  until instant: C.Instant, clock: C, isolation: isolated (any Actor)? = #isolation,
  operation: @escaping () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  try await finish(
    operation, by: instant, on: clock, or: DeadlineExceeded(duration: clock.now.duration(to: instant)))
}

/// Implements both `withDeadline` functions. The caller creates `expiry`, because a duration that
/// is measured here would already be shorter.
@export(implementation)
func finish<Value: Sendable, C: Clock>(
  _ operation: @escaping () async throws -> Value, by instant: C.Instant, on clock: C,
  or expiry: DeadlineExceeded, isolation: isolated (any Actor)? = #isolation
) async throws -> Value where C.Duration == Duration {
  guard expiry.duration > .zero else { throw expiry }
  try Task.checkCancellation()

  let race = Promise<Value>()
  let liveObject = LiveObjectToken(.task, "withDeadline")
  let work = Task {
    defer { liveObject.end() }
    // The task's closure runs in the isolation of a parameter only if it captures the parameter.
    _ = isolation
    do {
      // While this task waits for the actor, its caller can be cancelled.
      try Task.checkCancellation()
      race.resolve(.success(try await operation()))
    } catch {
      race.resolve(.failure(error))
    }
  }
  // Leaving this scope cancels the timer and waits for it.
  async let _ = race.expire(with: expiry) {
    try await clock.sleep(until: instant, orAtMost: expiry.duration)
  } onExpiry: {
    work.cancel()
  }
  await withTaskCancellationHandler {
    await work.value
  } onCancel: {
    work.cancel()
  }
  return try await race.value
}

/// Runs an operation that has to end within `duration`, and abandons an operation that takes
/// longer.
///
/// Use this function for operations that ignore cancellation, and
/// ``withDeadline(_:clock:isolation:operation:)`` for all others.
///
/// | event | what the caller receives |
/// | --- | --- |
/// | the operation ends in time | its value or its error |
/// | the time runs out | ``DeadlineExceeded`` at once; the operation is cancelled and abandoned |
/// | the operation ends just as the time runs out | the result that came first, never both |
/// | the caller's task is cancelled | `CancellationError` at once; the operation is cancelled and abandoned |
/// | the caller's task is cancelled before the operation begins | `CancellationError` at once; the operation does not start |
/// | `duration` is not positive | ``DeadlineExceeded`` at once; the operation does not start |
///
/// - Isolation: The operation may outlive the call, so it does not run on the caller's actor.
/// - Cancellation: The operation is cancelled before the caller receives the error. A cancellation
///   handler that blocks delays the caller.
/// - Ownership: An abandoned operation keeps its captures until it ends. Its value or error is
///   dropped.
/// - Throws: ``DeadlineExceeded`` with `duration`, `CancellationError`, or the error of the
///   operation.
/// - Complexity: Two tasks.
@export(implementation)
public func withAbandoningDeadline<Value: Sendable, C: Clock>(
  _ duration: Duration, clock: C = ContinuousClock(),
  operation: @escaping @Sendable () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  try await finish(
    operation, by: clock.now.advanced(by: min(duration, .longestDelay)), on: clock,
    or: DeadlineExceeded(duration: duration))
}

/// Runs an operation that has to end by `instant`, and abandons an operation that takes longer.
///
/// The guarantees are those of ``withAbandoningDeadline(_:clock:operation:)``.
///
/// - Throws: ``DeadlineExceeded`` with the time that was left when the call began,
///   `CancellationError`, or the error of the operation.
@export(implementation)
public func withAbandoningDeadline<Value: Sendable, C: Clock>(
  until instant: C.Instant, clock: C, operation: @escaping @Sendable () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  try await finish(
    operation, by: instant, on: clock, or: DeadlineExceeded(duration: clock.now.duration(to: instant)))
}

/// Implements both `withAbandoningDeadline` functions. The caller creates `expiry`, because a
/// duration that is measured here would already be shorter.
@export(implementation)
func finish<Value: Sendable, C: Clock>(
  _ operation: @escaping @Sendable () async throws -> Value, by instant: C.Instant, on clock: C,
  or expiry: DeadlineExceeded
) async throws -> Value where C.Duration == Duration {
  guard expiry.duration > .zero else { throw expiry }

  let race = Promise<Value>()
  let started = Mutex<Task<Void, Never>?>(nil)
  // The handler exists before the operation starts. So even a cancellation by the operation comes
  // before its result.
  return try await withTaskCancellationHandler {
    let work = try started.withLock { started in
      // A cancellation that this check does not see takes the lock later, and finds the task.
      try Task.checkCancellation()
      let liveObject = LiveObjectToken(.task, "withAbandoningDeadline")
      let work = Task {
        defer { liveObject.end() }
        do {
          try Task.checkCancellation()
          race.resolve(.success(try await operation()))
        } catch {
          race.resolve(.failure(error))
        }
      }
      started = work
      return work
    }
    // Leaving this scope cancels the timer and waits for it.
    async let _ = race.expire(with: expiry) {
      try await clock.sleep(until: instant, orAtMost: expiry.duration)
    } onExpiry: {
      work.cancel()
    }
    return try await race.value
  } onCancel: {
    race.resolve(throwing: CancellationError()) { started.withLock { $0 }?.cancel() }
  }
}

/// The error of an operation that did not end by its deadline, or that did not start because the
/// deadline had passed.
public struct DeadlineExceeded: Error, Equatable {
  /// The time that the operation had. If it is zero or negative, the operation did not start.
  public let duration: Duration

  /// Creates an error for an operation that had `duration`.
  public init(duration: Duration) {
    self.duration = duration
  }
}

extension DeadlineExceeded: CustomStringConvertible, LocalizedError {
  public var description: String {
    duration > .zero
      ? "The operation did not end within \(duration)."
      : "The operation did not start, because its deadline had already passed."
  }

  public var errorDescription: String? { description }
}

extension Promise {
  /// If `sleep` ends before a result arrives, calls `onExpiry`, and then resolves with `expiry`.
  ///
  /// Does nothing if `sleep` throws, because then the timer was cancelled.
  @export(implementation)
  func expire(
    with expiry: DeadlineExceeded, after sleep: @Sendable () async throws -> Void,
    onExpiry: @Sendable () -> Void
  ) async {
    do { try await sleep() } catch { return }
    resolve(throwing: expiry, afterCancelling: onExpiry)
  }
}

extension Clock where Duration == Swift.Duration {
  /// Sleeps until `instant`, which is `duration` away, but not longer than the longest delay.
  ///
  /// Computes an instant only if the duration is longer: the clock may not be able to represent an
  /// instant that is so far away.
  @export(implementation)
  func sleep(until instant: Instant, orAtMost duration: Duration) async throws {
    let isFar = duration > .longestDelay
    try await sleep(until: isFar ? now.advanced(by: .longestDelay) : instant, tolerance: nil)
  }
}

import Synchronization

/// The handle of something that can be called off: a request, a callback registration, a scheduled block.
///
/// - Promises: the action runs **at most once**, on the thread that cancels first. The token cancels when its
///   last reference goes away, so whoever wants the work to go on keeps the token.
/// - Lifetime: a local variable does not keep a token until the end of its scope. An optimized build releases the token after
///   its last use, which cancels. Store the token in a property or a ``TaskBag``, or keep it with ``hold(isolation:_:)``.
/// - Isolation: none; any thread may cancel, at any time, more than once. No lock is held while the action runs,
///   so the action may cancel other tokens, or this one.
/// - Errors: none. Cancelling what has already finished does nothing; ``finish()`` says so explicitly and frees
///   what the action captured.
public final class CancellationToken: Sendable {
  private let phase: Mutex<Phase>

  private enum Phase {
    case armed(@Sendable () -> Void)
    case cancelled
    case finished
  }

  /// A token whose cancellation runs `onCancel`, once.
  public convenience init(onCancel: @escaping @Sendable () -> Void) {
    self.init(.armed(onCancel))
  }

  private init(_ phase: Phase) { self.phase = Mutex(phase) }

  /// The token of what ended before it was handed out, or cannot be called off: cancelling it does nothing.
  public static let ended = CancellationToken(.finished)

  /// Whether ``cancel()`` came before ``finish()``.
  public var isCancelled: Bool {
    phase.withLock {
      if case .cancelled = $0 { true } else { false }
    }
  }

  /// Cancels. Only the first call runs the action, and it has run when that call returns; another thread's call
  /// that comes second may return while it still runs.
  public func cancel() {
    leave(for: .cancelled)?()
  }

  /// Says that the work ended by itself: a later ``cancel()`` does nothing, and the action's captures are freed.
  public func finish() {
    // What the action captured is released after the unlock.
    withExtendedLifetime(leave(for: .finished)) {}
  }

  /// Runs `body`, and keeps the token until `body` has ended. A synchronous scope can use `withExtendedLifetime` instead.
  ///
  /// ```swift
  /// let token = total.bind(on: queue) { recorder.note($0) }
  /// await token.hold { await checkOut() }
  /// ```
  ///
  /// - Isolation: `body` runs on the caller's actor.
  /// - Throws: what `body` throws.
  public func hold<Answer, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    defer { withExtendedLifetime(self) {} }
    return try await body()
  }

  private func leave(for next: Phase) -> (@Sendable () -> Void)? {
    phase.withLock { phase in
      guard case .armed(let onCancel) = phase else { return nil }
      phase = next
      return onCancel
    }
  }

  deinit { cancel() }
}

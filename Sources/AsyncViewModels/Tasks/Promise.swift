public import Synchronization

/// A result that is set once and read once.
///
/// Only the first call of ``resolve(_:)`` has an effect. It may come before or after the reader starts to wait.
///
/// The stored properties are trivial to destroy for every `Value`, and everything is inlinable. A generic enum
/// under the lock would need a runtime type lookup for each promise that is destroyed. That lookup would cost
/// more than everything else.
///
/// `@unchecked Sendable`: the lock `phase` guards the other stored properties.
@safe @usableFromInline
final class Promise<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let phase = Mutex(PromisePhase.open)
  /// The continuation of the waiting reader. Valid only in the phase ``PromisePhase/awaited``.
  @exclusivity(unchecked) @usableFromInline var reader: UnsafeContinuation<Value, any Error>?
  /// The result that came before its reader. Valid only in the phase ``PromisePhase/resolved``.
  @exclusivity(unchecked) @usableFromInline var early: UnsafeMutablePointer<Result<Value, any Error>>?

  /// Whether ``resolve(throwing:afterCancelling:)`` has begun.
  @safe @exclusivity(unchecked) @usableFromInline var isClaimed = false

  @inlinable
  init() {}

  @inlinable
  deinit {
    if let result = unsafe early { unsafe Self.free(result) }
  }

  /// Resumes the waiting reader with `result`, or stores `result` until it is read.
  ///
  /// - Returns: `true` if `result` is the first result. Otherwise `false`, and `result` is dropped.
  @discardableResult
  @inlinable
  func resolve(_ result: Result<Value, any Error>) -> Bool { resolve(result, isClaimed: false) }

  /// Runs `cancel` and then resolves with `failure`. Does nothing if there is already a result, or if another
  /// call of this method came first.
  ///
  /// While `cancel` runs, this promise accepts no other result.
  @inlinable
  func resolve(throwing failure: any Error, afterCancelling cancel: () -> Void) {
    let isFirst = phase.withLock { phase in
      guard phase == .open || phase == .awaited, !isClaimed else { return false }
      isClaimed = true
      return true
    }
    guard isFirst else { return }
    cancel()
    resolve(.failure(failure), isClaimed: true)
  }

  @discardableResult
  @inlinable
  func resolve(_ result: Result<Value, any Error>, isClaimed hasClaim: Bool) -> Bool {
    var reader: UnsafeContinuation<Value, any Error>?
    let isFirst = phase.withLock { phase in
      guard isClaimed == hasClaim else { return false }
      switch phase {
      case .open:
        let place = UnsafeMutablePointer<Result<Value, any Error>>.allocate(capacity: 1)
        unsafe place.initialize(to: result)
        unsafe early = place
        phase = .resolved
        return true
      case .awaited:
        unsafe reader = self.reader
        phase = .read
        return true
      case .resolved, .read:
        return false
      }
    }
    // A result that is dropped is released after the unlock: its `deinit` can run any code.
    withExtendedLifetime(result) { unsafe reader?.resume(with: result) }
    return isFirst
  }

  /// Returns the result if it has arrived and was not read, otherwise `nil`.
  @inlinable
  func take() -> Result<Value, any Error>? {
    let result = phase.withLock { phase -> Result<Value, any Error>? in
      guard phase == .resolved, let place = unsafe early else { return nil }
      phase = .read
      unsafe early = nil
      defer { unsafe place.deallocate() }
      return unsafe place.move()
    }
    // A result that the caller ignores is released after the unlock: its `deinit` can run any code.
    return withExtendedLifetime(result) { result }
  }

  /// Waits for the result. Read this property only once: a second read would wait forever.
  ///
  /// The wait ignores task cancellation: to end the wait, a cancellation handler has to call ``resolve(_:)``.
  @inlinable
  var value: Value {
    get async throws {
      try unsafe await withUnsafeThrowingContinuation { continuation in
        let isEarly = phase.withLock { phase in
          guard phase == .open else { return true }
          unsafe reader = continuation
          phase = .awaited
          return false
        }
        if isEarly, let result = take() { unsafe continuation.resume(with: result) }
      }
    }
  }

  @usableFromInline
  static func free(_ result: UnsafeMutablePointer<Result<Value, any Error>>) {
    unsafe result.deinitialize(count: 1)
    unsafe result.deallocate()
  }
}

/// The phase of a promise: no reader and no result, a waiting reader, an unread result, or a result that was
/// read.
@usableFromInline
enum PromisePhase: Sendable { case open, awaited, resolved, read }

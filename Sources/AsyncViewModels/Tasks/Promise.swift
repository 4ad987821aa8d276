public import Synchronization

/// A result that arrives once, for one reader: the first ``resolve(_:)`` counts, before or after the reader has come.
///
/// Its stored properties are trivial to destroy, whatever `Value` is, and everything is inlinable: a generic enum under
/// the lock would have its type looked up at run time each time that one goes away, which costs more than all the rest.
///
/// `@unchecked Sendable`: `phase` guards the two pointers.
@safe @usableFromInline
final class Promise<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let phase = Mutex(PromisePhase.open)
  /// Set while ``PromisePhase/awaited``.
  @exclusivity(unchecked) @usableFromInline var reader: UnsafeContinuation<Value, any Error>?
  /// Set while ``PromisePhase/settled``: the result that came before its reader.
  @exclusivity(unchecked) @usableFromInline var early: UnsafeMutablePointer<Result<Value, any Error>>?

  @inlinable
  init() {}

  @inlinable
  deinit {
    if let result = unsafe early { unsafe Self.free(result) }
  }

  /// Keeps or hands over `result`. Returns false, and does nothing, where another result came first.
  @discardableResult
  @inlinable
  func resolve(_ result: Result<Value, any Error>) -> Bool {
    var reader: UnsafeContinuation<Value, any Error>?
    let isFirst = phase.withLock { phase in
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
    // A result that comes second is released after the unlock: its deinit can be any code.
    withExtendedLifetime(result) { unsafe reader?.resume(with: result) }
    return isFirst
  }

  /// Takes the result, where it has come already: that is a read.
  @inlinable
  func take() -> Result<Value, any Error>? {
    let result = phase.withLock { phase -> Result<Value, any Error>? in
      guard phase == .resolved, let place = unsafe early else { return nil }
      phase = .read
      unsafe early = nil
      defer { unsafe place.deallocate() }
      return unsafe place.move()
    }
    // A reader that ignores the result releases it after the unlock: its deinit can be any code.
    return withExtendedLifetime(result) { result }
  }

  /// Waits for the result. It takes no notice of cancellation: whoever cancels settles. Read once.
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

@usableFromInline
enum PromisePhase: Sendable { case open, awaited, resolved, read }

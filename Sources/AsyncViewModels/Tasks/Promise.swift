public import Synchronization

/// A result that is set once and read once.
///
/// Only the first call of ``resolve(_:)`` has an effect. It may come before or after the reader
/// starts to wait.
///
/// The first call claims the promise, so that only one thread writes the result. Then the call and
/// the reader both try to leave the phase ``PromisePhase/open``. The second of them hands the
/// result to the reader.
///
/// The stored properties are trivial to destroy for every `Value`, and everything is inlinable. A
/// generic enum would need a runtime type lookup for each promise that is destroyed. That lookup
/// would cost more than everything else.
///
/// `@unchecked Sendable`: the claim guards the writing of `stored`. The change of `phase` publishes
/// `stored` and `reader`, and only the second thread to change it reads them, or the thread that
/// changes it to ``PromisePhase/taken``.
@safe @usableFromInline
package final class Promise<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let isClaimed = Atomic(false)
  @usableFromInline let phase = Atomic(PromisePhase.open)
  /// The continuation of the waiting reader. Valid only in the phase ``PromisePhase/awaited``.
  @exclusivity(unchecked) @usableFromInline var reader: UnsafeContinuation<Value, any Error>?
  /// The result, until the reader gets it.
  @exclusivity(unchecked) @usableFromInline var stored: UnsafeMutablePointer<Result<Value, any Error>>?

  @export(implementation)
  package init() {}

  @inlinable
  deinit {
    if let result = unsafe stored { unsafe Self.free(result) }
  }

  /// Resumes the waiting reader with `result`, or stores `result` until it is read.
  ///
  /// - Returns: `true` if `result` is the first result. Otherwise `false`, and `result` is dropped.
  @discardableResult
  @export(implementation)
  package func resolve(_ result: Result<Value, any Error>) -> Bool {
    guard claim() else { return false }
    publish(result)
    return true
  }

  /// Runs `cancel` and then resolves with `failure`. Does nothing if there is already a result, or
  /// if another call of this method came first.
  ///
  /// While `cancel` runs, this promise accepts no other result.
  @export(implementation)
  func resolve(throwing failure: any Error, afterCancelling cancel: () -> Void) {
    guard claim() else { return }
    cancel()
    publish(.failure(failure))
  }

  /// Returns `true` for the first call only.
  @export(implementation)
  func claim() -> Bool { !isClaimed.exchange(true, ordering: .relaxed) }

  @export(implementation)
  func publish(_ result: Result<Value, any Error>) {
    let place = UnsafeMutablePointer<Result<Value, any Error>>.allocate(capacity: 1)
    unsafe place.initialize(to: result)
    unsafe stored = place
    if !leave(.open, for: .resolved), let result = removeStored() { unsafe reader?.resume(with: result) }
  }

  /// Returns the result if it has arrived and was not read, otherwise `nil`.
  ///
  /// Any number of threads may call this method at the same time: one of them receives the result.
  @export(implementation)
  func take() -> Result<Value, any Error>? {
    guard phase.load(ordering: .relaxed) == .resolved, leave(.resolved, for: .taken) else { return nil }
    return removeStored()
  }

  /// Waits for the result. Read this property only once: a second read would wait forever.
  ///
  /// The wait ignores task cancellation: to end the wait, a cancellation handler has to call
  /// ``resolve(_:)``.
  @export(implementation)
  package var value: Value {
    get async throws {
      try unsafe await withUnsafeThrowingContinuation { continuation in
        unsafe reader = continuation
        if !leave(.open, for: .awaited), let result = removeStored() {
          unsafe continuation.resume(with: result)
        }
      }
    }
  }

  @export(implementation)
  func leave(_ old: PromisePhase, for new: PromisePhase) -> Bool {
    phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }

  @export(implementation)
  func removeStored() -> Result<Value, any Error>? {
    unsafe stored.take().map { place in
      defer { unsafe place.deallocate() }
      return unsafe place.move()
    }
  }

  @usableFromInline
  static func free(_ result: UnsafeMutablePointer<Result<Value, any Error>>) {
    unsafe result.deinitialize(count: 1)
    unsafe result.deallocate()
  }
}

/// The phase of a promise: no reader and no result, a waiting reader without a result, a result, or
/// a result that ``Promise/take()`` has returned.
@usableFromInline
enum PromisePhase: UInt8, AtomicRepresentable, Sendable { case open, awaited, resolved, taken }

public import Synchronization

/// Keeps the values that the body of an `update` sends to its own state, until that update is published: the body must not wait for
/// the lock that it runs under.
@usableFromInline
struct UpdateScope<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let deferredValues = Mutex<[Value]>([])
  @usableFromInline let hasDeferred = Atomic<Bool>(false)
  @usableFromInline let occupant = ThreadMark()

  @inlinable init() {}

  @inlinable
  func begin() { occupant.enter() }

  /// Ends the update, and returns the values that its body sent, if any, oldest first. Called under the state's lock, like ``begin()``.
  @inlinable
  func end() -> [Value]? {
    occupant.leave()
    // Rarely is there anything, and the flag spares each update a lock.
    guard hasDeferred.load(ordering: .relaxed) else { return nil }
    hasDeferred.store(false, ordering: .relaxed)
    return deferredValues.withLock { exchange(&$0, with: []) }
  }

  /// Keeps `value` for after the update, if this thread is inside one.
  @inlinable
  func deferred(_ value: Value) -> Bool { occupant.isPresent && deferredByOccupant(value) }

  // Apart, so that the path of every other send stays short enough to be inlined.
  @inlinable @inline(never)
  func deferredByOccupant(_ value: Value) -> Bool {
    let isFromBody = occupant.isCurrentThread()
    if isFromBody {
      deferredValues.withLock { $0.append(value) }
      hasDeferred.store(true, ordering: .relaxed)
    }
    return isFromBody
  }
}

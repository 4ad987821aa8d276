public import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// Knows which thread is inside `update`, where the state's lock is held: a `send` from in there is put off until the update
/// is published, and what cannot be put off is refused with a message instead of a deadlock.
@usableFromInline
struct UpdateScope<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let deferredValues = Mutex<[Value]>([])
  @usableFromInline let hasDeferred = Atomic<Bool>(false)
  /// The thread inside `update`, or 0. Only that thread can find itself here, so the loads need no order.
  @usableFromInline let thread = Atomic<UInt>(0)

  @inlinable init() {}

  @inlinable var isOnThisThread: Bool {
    let thread = thread.load(ordering: .relaxed)
    return thread != 0 && thread == currentThread()
  }

  @inlinable
  func begin() { thread.store(currentThread(), ordering: .relaxed) }

  /// Ends the update, and returns what it put off, if anything, oldest first. Still under the state's lock, so that it takes what is its own.
  @inlinable
  func end() -> [Value]? {
    thread.store(0, ordering: .relaxed)
    // Rarely is there anything, and the flag spares each update a lock.
    guard hasDeferred.load(ordering: .relaxed) else { return nil }
    hasDeferred.store(false, ordering: .relaxed)
    return deferredValues.withLock { exchange(&$0, with: []) }
  }

  /// Keeps `value` for after the update, if this thread is inside one.
  @inlinable
  func deferred(_ value: Value) -> Bool {
    guard isOnThisThread else { return false }
    deferredValues.withLock { $0.append(value) }
    hasDeferred.store(true, ordering: .relaxed)
    return true
  }

  /// - Precondition: this thread is not inside an update.
  @inlinable
  func refuse(_ what: StaticString) {
    precondition(
      !isOnThisThread, "ObservableState: \(what) inside its own `update`, whose body has the state to itself")
  }
}

@usableFromInline
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: unsafe pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

public import Synchronization

/// An observer of a state's latest value.
///
/// The observer stores no value, only the number of the last version that it has read. The storage refers to
/// the observer's waiters only while they wait.
///
/// `@unchecked Sendable`: the storage's lock guards every variable.
@usableFromInline
final class LatestValueSubscription<Value: Sendable>: Subscription, @unchecked Sendable {
  @usableFromInline let storage: StateStorage<Value>
  @usableFromInline let liveObject: LiveObjectToken
  @usableFromInline let usuallyWaits = Atomic(false)
  /// Whether the sender is faster: this reader missed values while it handled the previous value.
  @usableFromInline let isOutrun = Atomic(false)
  @safe @exclusivity(unchecked) @usableFromInline var seenVersion: UInt64 = 0
  @safe @exclusivity(unchecked) @usableFromInline var hasLeft = false
  @safe @exclusivity(unchecked) @usableFromInline var waiters = ObserverWaiters()

  @inlinable
  init(of storage: StateStorage<Value>) {
    self.storage = storage
    liveObject = LiveObjectToken(.observer, "LatestValueSubscription<\(Value.self)>")
    storage.latestObserverCount.add(1, ordering: .relaxed)
  }

  @inlinable var expectsToWait: Bool {
    get { usuallyWaits.load(ordering: .relaxed) }
    set { usuallyWaits.store(newValue, ordering: .relaxed) }
  }

  @inlinable
  func poll(after parking: Parking) -> Poll<Value> {
    if isOutrun.load(ordering: .relaxed) { backOff() }
    return storage.guarded.withLock { storage in
      waiters.checkIn(parking)
      if hasLeft { return .ended }
      if seenVersion != storage.version {
        isOutrun.store(parking.isNone && hasMissed(storage.version), ordering: .relaxed)
        seenVersion = storage.version
        return .element(storage.value)
      }
      guard storage.isFinished else { return .nothing }
      markAsLeft()
      return .ended
    }
  }

  /// Whether there are versions between the last read version and `version`. Versions before the first read do
  /// not count.
  @inlinable
  func hasMissed(_ version: UInt64) -> Bool { seenVersion != 0 && version &- seenVersion > 1 }

  /// Leaves the lock to a faster sender for several hundred nanoseconds.
  ///
  /// The reader skips the values that are replaced meanwhile. If sender and reader competed for the lock, each
  /// value would cost the sender several times as much.
  @inlinable
  func backOff() {
    for _ in 0..<Self.backOffLoads { _ = isOutrun.load(ordering: .acquiring) }
  }

  /// The number of atomic loads for which a reader backs off.
  ///
  /// Measured on Linux with two cores: a burst to one reader takes 9 to 25 ns per value with the back-off, and
  /// 27 to 58 ns without it. During the back-off, the core of the reader spins, so sender and reader together
  /// use 25 to 32 ns of CPU time per value.
  @inlinable static var backOffLoads: Int { 600 }

  @inlinable
  func park(_ continuation: UnsafeContinuation<Void, Never>) -> Parking {
    storage.guarded.withLock { storage in
      guard !hasLeft, !storage.isFinished, seenVersion == storage.version else { return .none }
      return unsafe waiters.park(continuation, in: &storage.waiting)
    }
  }

  @inlinable
  func leave() {
    let waiting = storage.guarded.withLock { storage -> Waiter? in
      guard !hasLeft else { return nil }
      markAsLeft()
      return waiters.unlist(from: &storage.waiting)
    }
    Waiter.wakeAll(waiting)
  }

  @inlinable
  func markAsLeft() {
    hasLeft = true
    storage.latestObserverCount.subtract(1, ordering: .relaxed)
  }

  // No task waits at this point: a waiting task retains its observer.
  @inlinable
  deinit {
    if !hasLeft { markAsLeft() }
  }
}

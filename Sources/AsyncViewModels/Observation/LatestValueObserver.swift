public import Synchronization

/// An observer of a state's latest value.
///
/// The observer stores no value, only the number of the last version that it has read. The storage
/// refers to the observer's waiters only while they wait.
///
/// `@unchecked Sendable`: the storage's lock guards every variable.
@usableFromInline
final class LatestValueObserver<Value: Sendable>: ElementObserver, @unchecked Sendable {
  @usableFromInline let storage: StateStorage<Value>
  @usableFromInline let liveObject: LiveObjectToken
  @usableFromInline let nextStart = Atomic(ReadStart.poll)
  @safe @exclusivity(unchecked) @usableFromInline var seenVersion: UInt64 = 0
  @safe @exclusivity(unchecked) @usableFromInline var hasLeft = false
  @safe @exclusivity(unchecked) @usableFromInline var waiters = ObserverWaiters()

  @export(implementation)
  init(of storage: StateStorage<Value>) {
    self.storage = storage
    liveObject = LiveObjectToken(.observer, "LatestValueObserver<\(Value.self)>")
    storage.changeLatestObserverCount(by: 1)
  }

  @export(implementation) var readStart: ReadStart {
    get { nextStart.load(ordering: .relaxed) }
    set { nextStart.store(newValue, ordering: .relaxed) }
  }

  @export(implementation)
  func poll(after parking: Parking) -> Poll<Value> {
    storage.guarded.withLock { storage in
      waiters.checkIn(parking)
      if hasLeft { return .ended }
      if seenVersion != storage.version {
        if parking.isNone { readStart = hasMissed(storage.version) ? .yield : .poll }
        seenVersion = storage.version
        return .element(storage.value)
      }
      guard storage.isFinished else { return .nothing }
      markAsLeft()
      return .ended
    }
  }

  /// Whether there are versions between the last read version and `version`. Versions before the
  /// first read do not count.
  @export(implementation)
  func hasMissed(_ version: UInt64) -> Bool { seenVersion != 0 && version &- seenVersion > 1 }

  @export(implementation)
  func park(_ continuation: UnsafeContinuation<Void, Never>) -> Parking {
    storage.guarded.withLock { storage in
      guard !hasLeft, !storage.isFinished, seenVersion == storage.version else { return .none }
      return unsafe waiters.park(continuation, in: &storage.waiting)
    }
  }

  @export(implementation)
  func leave() {
    let waiting = storage.guarded.withLock { storage -> Waiter? in
      guard !hasLeft else { return nil }
      markAsLeft()
      return waiters.unlist(from: &storage.waiting)
    }
    Waiter.wakeAll(waiting)
  }

  @export(implementation)
  func markAsLeft() {
    hasLeft = true
    storage.changeLatestObserverCount(by: -1)
  }

  // No task waits at this point: a waiting task retains its observer.
  @inlinable
  deinit {
    if !hasLeft { markAsLeft() }
  }
}

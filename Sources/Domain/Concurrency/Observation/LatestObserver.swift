public import Synchronization

/// An observer that keeps nothing but the version it saw last. Its hub does not know it unless it waits.
///
/// `@unchecked Sendable`: the hub's lock guards every variable.
@usableFromInline
final class LatestObserver<Value: Sendable>: Observing, @unchecked Sendable {
  @usableFromInline let hub: StateHub<Value>
  @usableFromInline let census: CensusEntry
  @usableFromInline let habit = Atomic(false)
  /// Whether the last value was there without a wait: the sender is faster than this reader.
  @usableFromInline let isOutrun = Atomic(false)
  @safe @exclusivity(unchecked) @usableFromInline var seenVersion: UInt64 = 0
  @safe @exclusivity(unchecked) @usableFromInline var hasLeft = false
  @safe @exclusivity(unchecked) @usableFromInline var waiters = ObserverWaiters()

  @inlinable
  init(of hub: StateHub<Value>) {
    self.hub = hub
    census = CensusEntry(.observer, "LatestObserver<\(Value.self)>")
    hub.latestObserverCount.add(1, ordering: .relaxed)
  }

  @inlinable var expectsToWait: Bool {
    get { habit.load(ordering: .relaxed) }
    set { habit.store(newValue, ordering: .relaxed) }
  }

  @inlinable
  func poll(after parking: Parking) -> Poll<Value> {
    if isOutrun.load(ordering: .relaxed) { stepAside() }
    return hub.guarded.withLock { hub in
      waiters.checkIn(parking)
      if hasLeft { return .ended }
      if seenVersion != hub.version {
        isOutrun.store(parking.isNone, ordering: .relaxed)
        seenVersion = hub.version
        return .element(hub.value)
      }
      guard hub.isFinished else { return .nothing }
      markAsLeft()
      return .ended
    }
  }

  /// Leaves the lock to a sender that is faster, for some hundred nanoseconds. What it sends meanwhile is conflated; fought for,
  /// each value would cost the sender several times as much.
  @inlinable
  func stepAside() {
    for _ in 0..<600 { _ = isOutrun.load(ordering: .acquiring) }
  }

  @inlinable
  func park(_ continuation: UnsafeContinuation<Void, Never>) -> Parking {
    hub.guarded.withLock { hub in
      guard !hasLeft, !hub.isFinished, seenVersion == hub.version else { return .none }
      return unsafe waiters.park(continuation, in: &hub.waiting)
    }
  }

  @inlinable
  func leave() {
    hub.updating.refuse("cancelled a reader")
    let waiting = hub.guarded.withLock { hub -> Waiter? in
      guard !hasLeft else { return nil }
      markAsLeft()
      return waiters.unlist(from: &hub.waiting)
    }
    Waiter.resumeAll(waiting)
  }

  @inlinable
  func markAsLeft() {
    hasLeft = true
    hub.latestObserverCount.subtract(1, ordering: .relaxed)
  }

  // Nobody waits here any more, since whoever waits holds the observer.
  @inlinable
  deinit {
    if !hasLeft { markAsLeft() }
  }
}

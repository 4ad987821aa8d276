/// The waiters of one observer. Nearly always there is one, which is used again for each wait, so that waiting does not
/// allocate; only where several tasks read one stream at the same time are there more. Guarded by the storage's lock.
@usableFromInline
struct ObserverWaiters: Sendable {
  @usableFromInline let primary = Waiter()
  @usableFromInline var primaryIsOut = false
  @usableFromInline var others: [Waiter] = []

  @inlinable init() {}

  @inlinable
  mutating func checkOut() -> Parking {
    guard primaryIsOut else {
      primaryIsOut = true
      return .primary
    }
    let waiter = Waiter()
    others.append(waiter)
    return .other(waiter)
  }

  @inlinable
  mutating func checkIn(_ parking: Parking) {
    switch parking {
    case .none: break
    case .primary: primaryIsOut = false
    case .other(let waiter): others.removeAll { $0 === waiter }
    }
  }

  /// Lists `continuation` with a waiter of this observer.
  @inlinable
  mutating func park(_ continuation: UnsafeContinuation<Void, Never>, in list: inout WaiterList) -> Parking {
    let parking = checkOut()
    let waiter = if case .other(let waiter) = parking { waiter } else { primary }
    unsafe waiter.renew(continuation)
    list.insert(waiter)
    return parking
  }

  /// Takes those that are listed out of `list`, as a list of their own, to be resumed after the lock is released.
  @inlinable
  func unlist(from list: inout WaiterList) -> Waiter? {
    // Those that are taken out stand in no list of a storage, whatever its number is.
    var mine = WaiterList(listing: 0)
    if primaryIsOut, list.remove(primary) { mine.insert(primary) }
    for waiter in others where list.remove(waiter) { mine.insert(waiter) }
    return mine.removeAll()
  }
}

/// Where a suspended `next()` is listed.
@usableFromInline
enum Parking: Sendable {
  /// Nowhere: there was something to read.
  case none
  case primary
  case other(Waiter)

  @inlinable var isNone: Bool {
    if case .none = self { true } else { false }
  }
}

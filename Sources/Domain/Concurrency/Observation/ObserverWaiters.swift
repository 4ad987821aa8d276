/// The waiters of one observer. Nearly always there is one, which is used again for each wait, so that waiting does not
/// allocate; only where several tasks read one stream at the same time are there more. Guarded by the hub's lock.
@usableFromInline
struct ObserverWaiters: Sendable {
  @usableFromInline var primary: Waiter?
  @usableFromInline var primaryIsOut = false
  @usableFromInline var others: [Waiter] = []

  @inlinable init() {}

  @inlinable
  mutating func checkOut() -> Waiter {
    guard primaryIsOut else {
      primaryIsOut = true
      let waiter = primary ?? Waiter()
      primary = waiter
      return waiter
    }
    let waiter = Waiter()
    others.append(waiter)
    return waiter
  }

  @inlinable
  mutating func checkIn(_ waiter: Waiter) {
    if waiter === primary { primaryIsOut = false } else { others.removeAll { $0 === waiter } }
  }

  /// Takes those that are listed out of `list`, as a list of their own, to be resumed after the lock is released.
  @inlinable
  func unlist(from list: inout WaiterList) -> Waiter? {
    var mine = WaiterList()
    if primaryIsOut, let primary, list.remove(primary) { mine.insert(primary) }
    for waiter in others where list.remove(waiter) { mine.insert(waiter) }
    return mine.removeAll()
  }
}

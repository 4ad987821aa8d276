public import Synchronization

/// An observer that waits for the next value of a storage. Later waits can reuse the waiter.
///
/// Each wait inserts the waiter into one ``WaiterList``. The waiter is then removed exactly once:
/// by the sender that wakes it, or by the code that ends the observation.
///
/// `@unchecked Sendable`: while the waiter is in a list, the lock of that list's storage guards
/// every property. After its removal, only the code that removed the waiter accesses it, until that
/// code calls ``wake()``.
@usableFromInline
@safe
class Waiter: @unchecked Sendable {
  @safe @exclusivity(unchecked) @usableFromInline final var next: Waiter?
  @safe @exclusivity(unchecked) @usableFromInline final unowned(unsafe) var previous: Waiter?
  /// The generation of the list at the insertion of this waiter, or 0 if the waiter is not in use.
  @usableFromInline final let listGeneration = Atomic<UInt64>(0)

  @inlinable init() {}

  /// Ends the access of the code that removed this waiter. Called while no lock is held.
  ///
  /// A subclass then notifies its observer that there may be something to read.
  @usableFromInline
  func wake() { listGeneration.store(0, ordering: .releasing) }

  /// Begins the access of the code that inserts this waiter.
  ///
  /// The load pairs with the store in ``wake()``. The runtime already orders a resumption before
  /// the task's next step. But if the task was resumed before it suspended, the thread sanitizer
  /// does not see that order.
  @export(implementation)
  final func acquire() { _ = listGeneration.load(ordering: .acquiring) }

  /// Wakes `first` and all waiters that are chained to it. Called while no lock is held.
  ///
  /// A waiter may be inserted again as soon as it is woken, so this method does not access it after
  /// that.
  @export(implementation)
  static func wakeAll(_ first: consuming Waiter?) {
    var upcoming = first
    while let waiter = upcoming {
      upcoming = waiter.next.take()
      waiter.wake()
    }
  }
}

/// Holds the continuation of a reader that waits in `next()`.
@usableFromInline
@safe
final class ReaderWaiter: Waiter, @unchecked Sendable {
  @safe @exclusivity(unchecked) @usableFromInline var continuation: UnsafeContinuation<Void, Never>?

  @inlinable override init() {}

  /// Prepares this waiter for a wait that ends with the resumption of `continuation`.
  @export(implementation)
  func renew(_ continuation: UnsafeContinuation<Void, Never>) {
    acquire()
    unsafe self.continuation = continuation
  }

  @usableFromInline
  override func wake() {
    let continuation = unsafe continuation.take()
    super.wake()
    unsafe continuation?.resume()
  }
}

/// The waiters of one storage's suspended readers. A plain value that the storage's lock guards.
///
/// Removing all waiters is O(1), because it starts a new generation: a waiter whose generation is
/// not the generation of the list has already been removed. A resumed reader always polls again. So
/// it is safe to resume a reader whose observation has ended, or two readers that compete for one
/// element.
@usableFromInline
struct WaiterList: Sendable {
  @usableFromInline var first: Waiter?
  @usableFromInline var generation: UInt64

  /// - Parameter generation: The first generation. It is 1 for a storage's list, and 0 for a list
  ///   of removed waiters.
  @export(implementation)
  init(generation: UInt64 = 1) { self.generation = generation }

  @export(implementation) var isEmpty: Bool { first == nil }

  @export(implementation)
  mutating func insert(_ waiter: Waiter) {
    waiter.listGeneration.store(generation, ordering: .relaxed)
    waiter.previous = nil
    waiter.next = first
    first?.previous = waiter
    first = waiter
  }

  /// Removes a waiter. Returns `false` if the waiter is not in the list, because other code is
  /// resuming it.
  @export(implementation)
  mutating func remove(_ waiter: Waiter) -> Bool {
    guard waiter.listGeneration.load(ordering: .relaxed) == generation else { return false }
    waiter.listGeneration.store(0, ordering: .relaxed)
    let next = waiter.next.take()
    next?.previous = waiter.previous
    if let previous = waiter.previous { previous.next = next } else { first = next }
    return true
  }

  /// Removes all waiters, and returns the first waiter with the other waiters chained to it.
  ///
  /// The caller passes the result to ``Waiter/wakeAll(_:)`` after the unlock.
  @export(implementation)
  mutating func removeAll() -> Waiter? {
    guard first != nil else { return nil }
    generation &+= 1
    return first.take()
  }
}

/// The waiters of one observer. The storage's lock guards them.
///
/// Usually there is only the primary waiter. Each wait reuses it, so that waiting does not
/// allocate. Other waiters exist only while several tasks read one stream at the same time.
@usableFromInline
struct ObserverWaiters: Sendable {
  @usableFromInline let primary = ReaderWaiter()
  @usableFromInline var primaryIsOut = false
  @usableFromInline var others: [ReaderWaiter] = []

  @export(implementation) init() {}

  /// Returns a waiter that is not in use: the primary one or a new one.
  @export(implementation)
  mutating func checkOut() -> Parking {
    guard primaryIsOut else {
      primaryIsOut = true
      return .primary
    }
    let waiter = ReaderWaiter()
    others.append(waiter)
    return .other(waiter)
  }

  /// Frees a waiter for the next wait.
  @export(implementation)
  mutating func checkIn(_ parking: Parking) {
    switch parking {
    case .none: break
    case .primary: primaryIsOut = false
    case .other(let waiter): others.removeAll { $0 === waiter }
    }
  }

  /// Inserts a free waiter of this observer into `list`. The resumption of the waiter resumes
  /// `continuation`.
  @export(implementation)
  mutating func park(_ continuation: UnsafeContinuation<Void, Never>, in list: inout WaiterList) -> Parking {
    let parking = checkOut()
    let waiter = if case .other(let waiter) = parking { waiter } else { primary }
    unsafe waiter.renew(continuation)
    list.insert(waiter)
    return parking
  }

  /// Removes this observer's waiters from `list` and returns them as a chain. The caller resumes
  /// them after the unlock.
  @export(implementation)
  func unlist(from list: inout WaiterList) -> Waiter? {
    // Generation 0 belongs to no storage, so that a removed waiter does not count as a member of
    // any storage's list.
    var removed = WaiterList(generation: 0)
    if primaryIsOut, list.remove(primary) { removed.insert(primary) }
    for waiter in others where list.remove(waiter) { removed.insert(waiter) }
    return removed.removeAll()
  }
}

/// The waiter with which a call of `next()` waits.
@usableFromInline
enum Parking: Sendable {
  /// No waiter: the caller did not suspend.
  case none
  /// The observer's reusable waiter.
  case primary
  /// A waiter for one of several tasks that read one stream at the same time.
  case other(ReaderWaiter)

  @export(implementation) var isNone: Bool {
    if case .none = self { true } else { false }
  }
}

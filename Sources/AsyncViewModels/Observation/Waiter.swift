public import Synchronization

/// One suspended `next()`: what a sender resumes. It lies in at most one ``WaiterList`` and is taken out of it
/// exactly once, by the sender that wakes it or by its own cancellation.
///
/// `@unchecked Sendable`: while it is listed, the lock of the storage whose list it is guards every property; once it
/// has been taken out, only the one who took it touches it, until it says so in `listing` and resumes the continuation.
@usableFromInline
@safe
final class Waiter: @unchecked Sendable {
  @safe @exclusivity(unchecked) @usableFromInline var continuation: UnsafeContinuation<Void, Never>?
  @safe @exclusivity(unchecked) @usableFromInline var next: Waiter?
  @safe @exclusivity(unchecked) @usableFromInline unowned(unsafe) var previous: Waiter?
  /// The number of the listing it stands in, or 0.
  @usableFromInline let listing = Atomic<UInt64>(0)

  @inlinable init() {}

  /// Makes this waiter resume `continuation`, whoever may have resumed it before.
  ///
  /// A resumption comes before all that the resumed task does, but where the task had not suspended yet, the runtime keeps that to
  /// itself. The load here, and the store to which it answers, say so where the thread sanitizer sees it.
  @inlinable
  func renew(_ continuation: UnsafeContinuation<Void, Never>) {
    _ = listing.load(ordering: .acquiring)
    unsafe self.continuation = continuation
  }

  /// Resumes this waiter and all that are chained to it. Called without any lock.
  ///
  /// A resumed waiter may be listed again at once, so nothing of it is read after its resumption.
  @inlinable
  static func resumeAll(_ first: consuming Waiter?) {
    var upcoming = first
    while let waiter = upcoming {
      upcoming = waiter.next.take()
      let continuation = unsafe waiter.continuation.take()
      waiter.listing.store(0, ordering: .releasing)
      unsafe continuation?.resume()
    }
  }
}

/// The suspended observers of one storage. A pure value, guarded by the storage's lock.
///
/// Taking all of them is O(1), because a listing is known by its number: a waiter whose number is not the current one
/// has been taken already. Being woken means "look again", nothing more; that is what makes it safe to wake a
/// waiter that is leaving, or two that compete for one element.
@usableFromInline
struct WaiterList: Sendable {
  @usableFromInline var first: Waiter?
  @usableFromInline var listing: UInt64

  /// - Parameter listing: the number of the first listing; those of a storage begin at 1, and 0 is that of no storage.
  @inlinable
  init(listing: UInt64 = 1) { self.listing = listing }

  @inlinable var isEmpty: Bool { first == nil }

  @inlinable
  mutating func insert(_ waiter: Waiter) {
    waiter.listing.store(listing, ordering: .relaxed)
    waiter.previous = nil
    waiter.next = first
    first?.previous = waiter
    first = waiter
  }

  /// Takes one waiter out. False if it was not listed: somebody else is resuming it.
  @inlinable
  mutating func remove(_ waiter: Waiter) -> Bool {
    guard waiter.listing.load(ordering: .relaxed) == listing else { return false }
    waiter.listing.store(0, ordering: .relaxed)
    let next = waiter.next.take()
    next?.previous = waiter.previous
    if let previous = waiter.previous { previous.next = next } else { first = next }
    return true
  }

  /// Takes all out, chained to the one that is returned, for ``Waiter/resumeAll(_:)`` after the lock is released.
  @inlinable
  mutating func removeAll() -> Waiter? {
    guard first != nil else { return nil }
    listing &+= 1
    return first.take()
  }
}

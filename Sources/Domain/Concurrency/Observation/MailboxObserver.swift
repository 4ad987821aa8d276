public import Synchronization

/// The unread events of one observer, as its hub knows it.
///
/// `@unchecked Sendable`: the hub's lock guards every property.
@usableFromInline
final class Mailbox<Element: Sendable>: @unchecked Sendable {
  @safe @exclusivity(unchecked) @usableFromInline var inbox: Inbox<Numbered<Element>>
  @safe @exclusivity(unchecked) @usableFromInline var waiters = ObserverWaiters()
  /// Its place among the hub's mailboxes, or nil when it has left.
  @safe @exclusivity(unchecked) @usableFromInline var index: Int?

  @inlinable
  init(_ buffering: Buffering) { inbox = Inbox(buffering) }
}

/// An observer that reads from a mailbox. The hub holds the mailbox, the reader holds this, and its end closes the mailbox.
///
/// Where there is no bound to keep, the reader takes all that is unread at once, and then reads it under a lock of its own, which the
/// senders never touch. What was taken was sent before anything that is in the hub.
@usableFromInline
final class MailboxObserver<Element: Sendable>: Observing {
  @usableFromInline let hub: EventHub<Element>
  @usableFromInline let mailbox: Mailbox<Element>
  @usableFromInline let habit = Atomic(false)
  /// Its lock is taken before the hub's.
  @usableFromInline let taken = Mutex(Inbox<Numbered<Element>>(.unbounded))
  @usableFromInline let census: CensusEntry

  @inlinable
  init(_ mailbox: Mailbox<Element>, of hub: EventHub<Element>) {
    self.mailbox = mailbox
    self.hub = hub
    census = CensusEntry(.observer, "MailboxObserver<\(Element.self)>")
  }

  @inlinable var expectsToWait: Bool {
    get { habit.load(ordering: .relaxed) }
    set { habit.store(newValue, ordering: .relaxed) }
  }

  @inlinable
  func poll(after parking: Parking) -> Poll<Element> {
    let found = taken.withLock { taken -> Poll<Element> in
      if case .none = parking, let event = taken.removeFirst() { return .element(event.element) }
      return hub.guarded.withLock { hub in
        mailbox.waiters.checkIn(parking)
        guard let index = mailbox.index else { return .ended }
        if let event = taken.removeFirst() ?? hub.takeNext(for: mailbox, andAllAfterItInto: &taken) {
          return .element(event.element)
        }
        guard hub.isFinished else { return .nothing }
        hub.remove(mailbox, at: index)
        return .ended
      }
    }
    // A reader that ignores the element releases it after the unlock: its deinit can be any code.
    return withExtendedLifetime(found) { found }
  }

  @inlinable
  func park(_ continuation: UnsafeContinuation<Void, Never>) -> Parking {
    taken.withLock { taken in
      hub.guarded.withLock { hub in
        guard mailbox.index != nil, !hub.isFinished, taken.isEmpty, mailbox.inbox.isEmpty, hub.held.isEmpty
        else { return .none }
        return unsafe mailbox.waiters.park(continuation, in: &hub.waiting)
      }
    }
  }

  @inlinable
  func leave() {
    // What is unread is released now, even if this observer lives on, and after the unlock: an element's deinit can be any code.
    var unread: (Inbox<Numbered<Element>>.Slots, Inbox<Numbered<Element>>.Slots) = ([], [])
    let waiting = taken.withLock { taken in
      hub.guarded.withLock { hub -> Waiter? in
        guard let index = mailbox.index else { return nil }
        hub.remove(mailbox, at: index)
        unread = (taken.removeAll(), mailbox.inbox.removeAll())
        return mailbox.waiters.unlist(from: &hub.waiting)
      }
    }
    withExtendedLifetime(unread.0) {
      withExtendedLifetime(unread.1) { Waiter.resumeAll(waiting) }
    }
  }

  @inlinable var droppedCount: Int {
    hub.guarded.withLock { _ in mailbox.inbox.droppedCount }
  }

  @inlinable
  deinit { leave() }
}

extension EventHub.Guarded {
  /// The oldest event that this mailbox may read: of its own, or one that is held for whoever comes. Where none is held and no bound
  /// counts what is unread, the rest of its own goes into `taken`, which is empty.
  @inlinable
  mutating func takeNext(
    for mailbox: Mailbox<Element>, andAllAfterItInto taken: inout Inbox<Numbered<Element>>
  ) -> Numbered<Element>? {
    guard let held = held.first else {
      guard mailbox.inbox.isUnbounded else { return mailbox.inbox.removeFirst() }
      swap(&taken, &mailbox.inbox)
      return taken.removeFirst()
    }
    if let own = mailbox.inbox.first, own.number < held.number { return mailbox.inbox.removeFirst() }
    return self.held.removeFirst()
  }

  /// Takes a mailbox out, in O(1): the last one takes its place.
  @inlinable
  mutating func remove(_ mailbox: Mailbox<Element>, at index: Int) {
    droppedByThoseWhoLeft += mailbox.inbox.droppedCount
    mailbox.index = nil
    let last = mailboxes.removeLast()
    guard last !== mailbox else { return }
    mailboxes[index] = last
    last.index = index
  }
}

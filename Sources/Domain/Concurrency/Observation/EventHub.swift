public import Synchronization

/// What an ``EventChannel`` and its observers share: an inbox for each observer, the events that wait for a taker, and the
/// observers that wait for an event. ``ObservableState`` uses one too, for the observers that buffer.
@usableFromInline
final class EventHub<Element: Sendable>: Sendable {
  @usableFromInline
  struct Guarded: Sendable {
    @usableFromInline var mailboxes: ContiguousArray<Mailbox<Element>> = []
    @usableFromInline var held = Inbox<Numbered<Element>>(.unbounded)
    @usableFromInline var waiting = WaiterList()
    @usableFromInline var isFinished = false
    /// Numbers events of both kinds, so that one observer reads them in the order in which they were sent.
    @usableFromInline var sent: UInt64 = 0
    @usableFromInline var droppedByThoseWhoLeft = 0

    @inlinable init() {}
  }

  @usableFromInline let guarded = Mutex(Guarded())

  @inlinable init() {}

  /// What is left to do when no lock is held any more, that of an ``ObservableState`` included: to resume those who
  /// waited, and to let go what full inboxes gave up, which may be the last reference to anything.
  @usableFromInline
  struct Aftermath: Sendable {
    @usableFromInline let waiting: Waiter?
    @usableFromInline let dropped: [Numbered<Element>]

    @inlinable
    init(waiting: Waiter?, dropped: [Numbered<Element>]) {
      self.waiting = waiting
      self.dropped = dropped
    }

    @inlinable
    func resume() {
      withExtendedLifetime(dropped) { Waiter.resumeAll(waiting) }
    }
  }

  /// Puts `element` into every inbox.
  @inlinable
  func post(_ element: Element) -> Aftermath? {
    guarded.withLock { hub -> Aftermath? in
      guard !hub.isFinished else { return nil }
      hub.sent &+= 1
      let numbered = Numbered(number: hub.sent, element: element)
      var dropped: [Numbered<Element>] = []
      for mailbox in hub.mailboxes {
        if let victim = mailbox.inbox.append(numbered) { dropped.append(victim) }
      }
      return Aftermath(waiting: hub.waiting.removeAll(), dropped: dropped)
    }
  }

  /// Keeps `element` for the first observer that comes to read. Returns whom to resume, once no lock is held any more.
  @inlinable
  func hold(_ element: Element) -> Waiter? {
    guarded.withLock { hub -> Waiter? in
      guard !hub.isFinished else { return nil }
      hub.sent &+= 1
      _ = hub.held.append(Numbered(number: hub.sent, element: element))
      return hub.waiting.removeAll()
    }
  }

  /// Nothing more is accepted; what was accepted can still be read. Returns whom to resume, once no lock is held any more.
  @inlinable
  func finish() -> Waiter? {
    guarded.withLock { hub in
      hub.isFinished = true
      return hub.waiting.removeAll()
    }
  }

  @inlinable
  func makeObserver(_ buffering: Buffering, first: Element? = nil) -> MailboxObserver<Element> {
    let mailbox = Mailbox<Element>(buffering)
    guarded.withLock { hub in
      if let first { _ = mailbox.inbox.append(Numbered(number: hub.sent, element: first)) }
      mailbox.index = hub.mailboxes.count
      hub.mailboxes.append(mailbox)
    }
    return MailboxObserver(mailbox, of: self)
  }
}

/// An event with its place in the order of all that its hub was given.
@usableFromInline
struct Numbered<Element> {
  @usableFromInline let number: UInt64
  @usableFromInline let element: Element

  @inlinable
  init(number: UInt64, element: Element) {
    self.number = number
    self.element = element
  }
}

extension Numbered: Sendable where Element: Sendable {}

public import Synchronization

/// What an ``EventChannel`` and its observers share: an buffer for each observer, the events that wait for a taker, and the
/// observers that wait for an event. ``ObservableState`` uses one too, for the observers that buffer.
@usableFromInline
final class EventStorage<Element: Sendable>: Sendable {
  @usableFromInline
  struct Guarded: Sendable {
    @usableFromInline var buffers: ContiguousArray<SubscriberBuffer<Element>> = []
    @usableFromInline var kept = RingBuffer<Numbered<Element>>(.unbounded)
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
  /// waited, and to let go what full bufferes gave up, which may be the last reference to anything.
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

  /// Puts `element` into every buffer.
  @inlinable
  func post(_ element: Element) -> Aftermath? {
    guarded.withLock { storage -> Aftermath? in
      guard !storage.isFinished else { return nil }
      storage.sent &+= 1
      let numbered = Numbered(number: storage.sent, element: element)
      var dropped: [Numbered<Element>] = []
      for buffer in storage.buffers {
        if let victim = buffer.elements.append(numbered) { dropped.append(victim) }
      }
      return Aftermath(waiting: storage.waiting.removeAll(), dropped: dropped)
    }
  }

  /// Keeps `element` for the first observer that comes to read. Returns whom to resume, once no lock is held any more.
  @inlinable
  func keep(_ element: Element) -> Waiter? {
    guarded.withLock { storage -> Waiter? in
      guard !storage.isFinished else { return nil }
      storage.sent &+= 1
      _ = storage.kept.append(Numbered(number: storage.sent, element: element))
      return storage.waiting.removeAll()
    }
  }

  /// Nothing more is accepted; what was accepted can still be read. Returns whom to resume, once no lock is held any more.
  @inlinable
  func finish() -> Waiter? {
    guarded.withLock { storage in
      storage.isFinished = true
      return storage.waiting.removeAll()
    }
  }

  @inlinable
  func makeObserver(_ buffering: BufferingPolicy, first: Element? = nil) -> BufferedSubscription<Element> {
    let buffer = SubscriberBuffer<Element>(buffering)
    guarded.withLock { storage in
      if let first { _ = buffer.elements.append(Numbered(number: storage.sent, element: first)) }
      buffer.index = storage.buffers.count
      storage.buffers.append(buffer)
    }
    return BufferedSubscription(buffer, of: self)
  }
}

/// An event with its place in the order of all that its storage was given.
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

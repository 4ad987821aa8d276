public import Synchronization

/// The storage that an ``EventChannel`` shares with its observers.
///
/// The storage contains a buffer for each observer, the kept events, and the observers that wait
/// for an event. A ``StateStore`` that has observers with buffers also has such a storage.
@usableFromInline
final class EventStorage<Element: Sendable>: Sendable {
  @usableFromInline
  struct Guarded: ~Copyable, Sendable {
    @usableFromInline var buffers: ContiguousArray<SubscriberBuffer<Element>> = []
    @usableFromInline var kept = RingBuffer<Numbered<Element>>(.unbounded)
    @usableFromInline var waiting = WaiterList()
    @usableFromInline var isFinished = false
    /// The number of the last event. Sent and kept events are numbered together, so that an
    /// observer can read them in the order of sending.
    @usableFromInline var sent: UInt64 = 0
    @usableFromInline var droppedByFormerObservers = 0

    @export(implementation) init() {}
  }

  @usableFromInline let guarded = Mutex(Guarded())

  @export(implementation) init() {}

  /// What the caller of ``post(_:)`` must do after it has released all locks, including the lock of
  /// a ``StateStore``.
  ///
  /// ``resume()`` resumes the waiting observers. The dropped elements are kept until then, because
  /// their `deinit` can run any code.
  @usableFromInline
  struct PostResult: Sendable {
    @usableFromInline let waiting: Waiter?
    @usableFromInline let dropped: [Numbered<Element>]

    @export(implementation)
    init(waiting: Waiter?, dropped: [Numbered<Element>]) {
      self.waiting = waiting
      self.dropped = dropped
    }

    @export(implementation)
    func resume() {
      withExtendedLifetime(dropped) { Waiter.wakeAll(waiting) }
    }
  }

  /// Appends `element` to every buffer.
  @export(implementation)
  func post(_ element: Element) -> PostResult? {
    guarded.withLock { storage -> PostResult? in
      guard !storage.isFinished else { return nil }
      storage.sent &+= 1
      let numbered = Numbered(number: storage.sent, element: element)
      var dropped: [Numbered<Element>] = []
      for buffer in storage.buffers {
        if let removed = buffer.elements.append(numbered) { dropped.append(removed) }
      }
      return PostResult(waiting: storage.waiting.removeAll(), dropped: dropped)
    }
  }

  /// Keeps `element` for the first observer that reads it. Returns the waiters to resume after the
  /// locks are released.
  @export(implementation)
  func keep(_ element: Element) -> Waiter? {
    guarded.withLock { storage -> Waiter? in
      guard !storage.isFinished else { return nil }
      storage.sent &+= 1
      _ = storage.kept.append(Numbered(number: storage.sent, element: element))
      return storage.waiting.removeAll()
    }
  }

  /// The kept events, and the number of the last event.
  @export(implementation)
  var keptEvents: ([Element], UInt64) {
    guarded.withLock { storage in ((0..<storage.kept.count).map { storage.kept[$0].element }, storage.sent) }
  }

  /// Keeps `element` if `number` is still the number of the last event. Otherwise, returns `nil`.
  @export(implementation)
  func keep(_ element: Element, ifLast number: UInt64) -> Waiter?? {
    guarded.withLock { storage -> Waiter?? in
      guard storage.sent == number else { return nil }
      guard !storage.isFinished else { return .some(nil) }
      storage.sent &+= 1
      _ = storage.kept.append(Numbered(number: storage.sent, element: element))
      return .some(storage.waiting.removeAll())
    }
  }

  /// Puts back an event that an observer has taken but cannot use. The kept events, including this
  /// event, stay in the order of sending.
  ///
  /// Returns the waiters to resume after the locks are released.
  @export(implementation)
  func putBack(_ event: Numbered<Element>) -> Waiter? {
    guarded.withLock { storage -> Waiter? in
      var earlier: [Numbered<Element>] = []
      while let first = storage.kept.first, first.number < event.number {
        earlier.append(first)
        _ = storage.kept.removeFirst()
      }
      storage.kept.prepend(event)
      for event in earlier.reversed() { storage.kept.prepend(event) }
      return storage.waiting.removeAll()
    }
  }

  /// Stops accepting elements. Observers can still read the accepted ones.
  ///
  /// Returns the waiters to resume after the locks are released.
  @export(implementation)
  func finish() -> Waiter? {
    guarded.withLock { storage in
      storage.isFinished = true
      return storage.waiting.removeAll()
    }
  }

  @export(implementation)
  func makeObserver(_ buffering: BufferingPolicy, first: Element? = nil) -> BufferedObserver<Element> {
    let buffer = SubscriberBuffer<Element>(buffering)
    guarded.withLock { storage in
      if let first { _ = buffer.elements.append(Numbered(number: storage.sent, element: first)) }
      buffer.index = storage.buffers.count
      storage.buffers.append(buffer)
    }
    return BufferedObserver(buffer, of: self)
  }

  @export(implementation) var observerCount: Int { guarded.withLock { $0.buffers.count } }

  @export(implementation) var droppedCount: Int {
    guarded.withLock { storage in
      storage.buffers.reduce(storage.droppedByFormerObservers) { $0 + $1.elements.droppedCount }
    }
  }
}

/// An event and its number in the order in which its storage received events.
@usableFromInline
struct Numbered<Element> {
  @usableFromInline let number: UInt64
  @usableFromInline let element: Element

  @export(implementation)
  init(number: UInt64, element: Element) {
    self.number = number
    self.element = element
  }
}

extension Numbered: Sendable where Element: Sendable {}

public import Synchronization

/// The unread events of one observer. The observer's ``EventStorage`` retains this buffer.
///
/// `@unchecked Sendable`: the storage's lock guards every property.
@usableFromInline
final class SubscriberBuffer<Element: Sendable>: @unchecked Sendable {
  @safe @exclusivity(unchecked) @usableFromInline var elements: RingBuffer<Numbered<Element>>
  @safe @exclusivity(unchecked) @usableFromInline var waiters = ObserverWaiters()
  /// The index of this buffer in the storage, or `nil` after the observer has left.
  @safe @exclusivity(unchecked) @usableFromInline var index: Int?

  @export(implementation)
  init(_ buffering: BufferingPolicy) { elements = RingBuffer(buffering) }
}

/// An observer that reads from a buffer.
///
/// The storage retains the buffer, and the reader retains this object. The `deinit` of this object
/// removes the buffer.
///
/// An observer with an unbounded buffer takes all unread events out of the buffer at once. It then
/// reads the taken events under its own lock, which senders never acquire. The taken events are
/// older than all events that the storage still has for this observer, except kept events that
/// another observer has put back.
@usableFromInline
final class BufferedObserver<Element: Sendable>: ElementObserver {
  @usableFromInline let storage: EventStorage<Element>
  @usableFromInline let buffer: SubscriberBuffer<Element>
  @usableFromInline let nextStart = Atomic(ReadStart.poll)
  /// The events that were taken from the buffer. Lock order: first this lock, then the lock of the
  /// storage.
  @usableFromInline let taken = Mutex(RingBuffer<Numbered<Element>>(.unbounded))
  @usableFromInline let liveObject: LiveObjectToken

  @export(implementation)
  init(_ buffer: SubscriberBuffer<Element>, of storage: EventStorage<Element>) {
    self.buffer = buffer
    self.storage = storage
    liveObject = LiveObjectToken(.observer, "BufferedObserver<\(Element.self)>")
  }

  @export(implementation) var readStart: ReadStart {
    get { nextStart.load(ordering: .relaxed) }
    set { nextStart.store(newValue, ordering: .relaxed) }
  }

  @export(implementation)
  func poll(after parking: Parking) -> Poll<Element> {
    var keptEvent: Numbered<Element>?
    let found = taken.take { taken -> Poll<Element> in
      if case .none = parking, let event = taken.removeFirst() { return .element(event.element) }
      return storage.guarded.withLock { storage in
        buffer.waiters.checkIn(parking)
        guard let index = buffer.index else { return .ended }
        let keptCount = storage.kept.count
        if let event = taken.removeFirst() ?? storage.takeNext(for: buffer, andAllAfterItInto: &taken) {
          if storage.kept.count < keptCount { keptEvent = event }
          return .element(event.element)
        }
        guard storage.isFinished else { return .nothing }
        storage.remove(buffer, at: index)
        return .ended
      }
    }
    if let keptEvent { EventHandover.note(keptEvent, from: storage) }
    return found
  }

  @export(implementation)
  func park(_ continuation: UnsafeContinuation<Void, Never>) -> Parking {
    taken.withLock { taken in
      storage.guarded.withLock { storage in
        guard buffer.index != nil, !storage.isFinished, taken.isEmpty, buffer.elements.isEmpty,
          storage.kept.isEmpty
        else { return .none }
        return unsafe buffer.waiters.park(continuation, in: &storage.waiting)
      }
    }
  }

  @export(implementation)
  func leave() {
    // Releases the unread elements even if this observer stays alive, but after the unlock.
    var unread = RingBuffer<Numbered<Element>>(.unbounded)
    var takenEvents = RingBuffer<Numbered<Element>>(.unbounded)
    let waiting = taken.withLock { taken in
      storage.guarded.withLock { storage -> Waiter? in
        guard let index = buffer.index else { return nil }
        storage.remove(buffer, at: index)
        swap(&takenEvents, &taken)
        unread = buffer.elements.removeAll()
        return buffer.waiters.unlist(from: &storage.waiting)
      }
    }
    withExtendedLifetime(takenEvents) {
      withExtendedLifetime(unread) { Waiter.wakeAll(waiting) }
    }
  }

  @export(implementation) var droppedCount: Int {
    storage.guarded.withLock { _ in buffer.elements.droppedCount }
  }

  @inlinable
  deinit { leave() }
}

extension EventStorage.Guarded {
  /// Removes and returns the oldest event that the observer may read: an event from its buffer, or
  /// a kept event.
  ///
  /// If no event is kept and the buffer has no limit, the remaining events of the buffer move into
  /// `taken`. Before the call, `taken` must be empty.
  @export(implementation)
  mutating func takeNext(
    for buffer: SubscriberBuffer<Element>, andAllAfterItInto taken: inout RingBuffer<Numbered<Element>>
  ) -> Numbered<Element>? {
    guard let kept = kept.first else {
      guard buffer.elements.isUnbounded else { return buffer.elements.removeFirst() }
      swap(&taken, &buffer.elements)
      return taken.removeFirst()
    }
    if let own = buffer.elements.first, own.number < kept.number { return buffer.elements.removeFirst() }
    return self.kept.removeFirst()
  }

  /// Removes a buffer in O(1): the last buffer moves to its index.
  @export(implementation)
  mutating func remove(_ buffer: SubscriberBuffer<Element>, at index: Int) {
    droppedByFormerObservers += buffer.elements.droppedCount
    buffer.index = nil
    let last = buffers.removeLast()
    guard last !== buffer else { return }
    buffers[index] = last
    last.index = index
  }
}

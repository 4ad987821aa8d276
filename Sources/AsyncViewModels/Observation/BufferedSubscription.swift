public import Synchronization

/// The unread events of one observer, as its storage knows it.
///
/// `@unchecked Sendable`: the storage's lock guards every property.
@usableFromInline
final class SubscriberBuffer<Element: Sendable>: @unchecked Sendable {
  @safe @exclusivity(unchecked) @usableFromInline var elements: RingBuffer<Numbered<Element>>
  @safe @exclusivity(unchecked) @usableFromInline var waiters = ObserverWaiters()
  /// Its place among the storage's buffers, or nil when it has left.
  @safe @exclusivity(unchecked) @usableFromInline var index: Int?

  @inlinable
  init(_ buffering: BufferingPolicy) { elements = RingBuffer(buffering) }
}

/// An observer that reads from a buffer. The storage holds the buffer, the reader holds this, and its end closes the buffer.
///
/// Where there is no bound to keep, the reader takes all that is unread at once, and then reads it under a lock of its own, which the
/// senders never touch. What was taken was sent before anything that is in the storage.
@usableFromInline
final class BufferedSubscription<Element: Sendable>: Subscription {
  @usableFromInline let storage: EventStorage<Element>
  @usableFromInline let buffer: SubscriberBuffer<Element>
  @usableFromInline let usuallyWaits = Atomic(false)
  /// Its lock is taken before the storage's.
  @usableFromInline let taken = Mutex(RingBuffer<Numbered<Element>>(.unbounded))
  @usableFromInline let liveObject: LiveObjectToken

  @inlinable
  init(_ buffer: SubscriberBuffer<Element>, of storage: EventStorage<Element>) {
    self.buffer = buffer
    self.storage = storage
    liveObject = LiveObjectToken(.observer, "BufferedSubscription<\(Element.self)>")
  }

  @inlinable var expectsToWait: Bool {
    get { usuallyWaits.load(ordering: .relaxed) }
    set { usuallyWaits.store(newValue, ordering: .relaxed) }
  }

  @inlinable
  func poll(after parking: Parking) -> Poll<Element> {
    let found = taken.withLock { taken -> Poll<Element> in
      if case .none = parking, let event = taken.removeFirst() { return .element(event.element) }
      return storage.guarded.withLock { storage in
        buffer.waiters.checkIn(parking)
        guard let index = buffer.index else { return .ended }
        if let event = taken.removeFirst() ?? storage.takeNext(for: buffer, andAllAfterItInto: &taken) {
          return .element(event.element)
        }
        guard storage.isFinished else { return .nothing }
        storage.remove(buffer, at: index)
        return .ended
      }
    }
    // A reader that ignores the element releases it after the unlock: its deinit can be any code.
    return withExtendedLifetime(found) { found }
  }

  @inlinable
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

  @inlinable
  func leave() {
    // What is unread is released now, even if this observer lives on, and after the unlock: an element's deinit can be any code.
    var unread: (RingBuffer<Numbered<Element>>.Slots, RingBuffer<Numbered<Element>>.Slots) = ([], [])
    let waiting = taken.withLock { taken in
      storage.guarded.withLock { storage -> Waiter? in
        guard let index = buffer.index else { return nil }
        storage.remove(buffer, at: index)
        unread = (taken.removeAll(), buffer.elements.removeAll())
        return buffer.waiters.unlist(from: &storage.waiting)
      }
    }
    withExtendedLifetime(unread.0) {
      withExtendedLifetime(unread.1) { Waiter.resumeAll(waiting) }
    }
  }

  @inlinable var droppedCount: Int {
    storage.guarded.withLock { _ in buffer.elements.droppedCount }
  }

  @inlinable
  deinit { leave() }
}

extension EventStorage.Guarded {
  /// The oldest event that this buffer may read: of its own, or one that is held for whoever comes. Where none is held and no bound
  /// counts what is unread, the rest of its own goes into `taken`, which is empty.
  @inlinable
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

  /// Takes a buffer out, in O(1): the last one takes its place.
  @inlinable
  mutating func remove(_ buffer: SubscriberBuffer<Element>, at index: Int) {
    droppedByThoseWhoLeft += buffer.elements.droppedCount
    buffer.index = nil
    let last = buffers.removeLast()
    guard last !== buffer else { return }
    buffers[index] = last
    last.index = index
  }
}

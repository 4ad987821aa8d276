/// Decides which unread elements are kept for an observer while it is busy.
///
/// Each observer has its own policy, which affects neither the sender nor other observers. The
/// elements that a bounded buffer drops are counted, unlike with
/// `AsyncStream.Continuation.BufferingPolicy`.
public enum BufferingPolicy: Equatable, Sendable {
  /// Keeps only the newest element (conflation). The elements that a busy observer skips do not
  /// count as dropped.
  case latest

  /// Keeps at most this many unread elements, always the newest. A full buffer drops its oldest
  /// element for each further one. The `droppedCount` of the observer and of the channel or state
  /// counts the drops.
  ///
  /// - Precondition: The limit is at least 1.
  case bounded(Int)

  /// Keeps every element until the observer reads it. Memory grows with the number of unread
  /// elements.
  case unbounded
}

/// The unread elements of one observer in the order of sending: a ring buffer that applies a
/// ``BufferingPolicy``.
///
/// The buffer is a plain value: the code that stores it does the locking. It manages its memory
/// itself, because an array of optionals needs more memory and more time per element.
@safe @usableFromInline
struct RingBuffer<Element>: ~Copyable {
  /// The memory. The number of slots is 0 or a power of two. The `count` slots from `head` on are
  /// initialized.
  @usableFromInline var slots = unsafe UnsafeMutableBufferPointer<Element>(start: nil, count: 0)
  @usableFromInline var head = 0
  @usableFromInline var count = 0
  @usableFromInline var droppedCount = 0
  @usableFromInline let limit: Int
  @usableFromInline let countsDrops: Bool

  /// - Precondition: The limit of a bounded policy is at least 1.
  @export(implementation)
  init(_ buffering: BufferingPolicy) {
    switch buffering {
    case .latest: (limit, countsDrops) = (1, false)
    case .unbounded: (limit, countsDrops) = (.max, true)
    case .bounded(let bound):
      guard bound >= 1 else { fatalError("BufferingPolicy.bounded(\(bound)): the limit must be at least 1") }
      (limit, countsDrops) = (bound, true)
    }
  }

  @export(implementation) var capacity: Int { unsafe slots.count }
  @export(implementation) var isUnbounded: Bool { limit == .max }
  @export(implementation) var isEmpty: Bool { count == 0 }
  @export(implementation) var first: Element? { isEmpty ? nil : unsafe slots[head] }

  /// The element that is `offset` elements after the oldest one.
  @export(implementation)
  subscript(_ offset: Int) -> Element { unsafe slots[index(offset)] }

  /// Appends `element`. If the buffer is full, removes its oldest element first and returns it, so
  /// that the caller can release it after the unlock.
  ///
  /// - Complexity: Amortized O(1).
  @export(implementation)
  mutating func append(_ element: Element) -> Element? {
    let isFull = count >= limit
    if isFull, countsDrops { droppedCount += 1 }
    let oldest = isFull ? removeFirst() : nil
    store(element)
    return oldest
  }

  /// Removes and returns the oldest unread element. A large buffer that is less than a quarter full
  /// shrinks.
  ///
  /// - Complexity: Amortized O(1).
  @export(implementation)
  mutating func removeFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = unsafe slots.moveElement(from: head)
    head = index(1)
    count -= 1
    if capacity > Self.keptCapacity, count < capacity / 4 { resize(to: capacity / 2) }
    return element
  }

  /// Inserts `element` before the oldest unread element, without regard to the limit.
  ///
  /// - Complexity: Amortized O(1).
  @export(implementation)
  mutating func prepend(_ element: Element) {
    if count == capacity { resize(to: max(4, capacity * 2)) }
    head = index(-1)
    unsafe slots.initializeElement(at: head, to: element)
    count += 1
  }

  /// Empties the buffer and returns its contents, so that the caller can release them after the
  /// unlock.
  @export(implementation)
  mutating func removeAll() -> RingBuffer {
    var removed = RingBuffer(.unbounded)
    unsafe (removed.slots, removed.head, removed.count) = (slots, head, count)
    unsafe (slots, head, count) = (UnsafeMutableBufferPointer(start: nil, count: 0), 0, 0)
    return removed
  }

  @export(implementation)
  mutating func store(_ element: Element) {
    if count == capacity { resize(to: max(4, capacity * 2)) }
    unsafe slots.initializeElement(at: index(count), to: element)
    count += 1
  }

  /// Returns the index of the slot that is `offset` slots after the oldest element.
  @export(implementation)
  func index(_ offset: Int) -> Int { (head + offset) & (capacity - 1) }

  /// The capacity below which the buffer never shrinks.
  @export(implementation) static var keptCapacity: Int { 1_024 }

  /// Changes the capacity, which is always a power of two, and moves the oldest element to index 0.
  @export(implementation)
  mutating func resize(to capacity: Int) {
    let resized = UnsafeMutableBufferPointer<Element>.allocate(capacity: capacity)
    for offset in 0..<count {
      unsafe resized.initializeElement(at: offset, to: slots.moveElement(from: index(offset)))
    }
    unsafe slots.deallocate()
    unsafe (slots, head) = (resized, 0)
  }

  @inlinable
  deinit {
    for offset in 0..<count { unsafe slots.deinitializeElement(at: index(offset)) }
    unsafe slots.deallocate()
  }
}

/// `@unchecked`: the buffer owns its memory.
extension RingBuffer: @unchecked Sendable where Element: Sendable {}

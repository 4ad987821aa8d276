/// Decides which unread elements are kept for an observer while it is busy.
///
/// Each observer has its own policy, which affects neither the sender nor other observers. Unlike with
/// `AsyncStream.Continuation.BufferingPolicy`, the elements that a bounded buffer drops are counted.
public enum BufferingPolicy: Hashable, Sendable {
  /// Keeps only the newest element (conflation).
  ///
  /// A busy observer continues with the latest element and never receives the elements in between. The buffer
  /// holds at most one element. Skipped elements do not count as dropped.
  case latest

  /// Keeps at most this many unread elements. If the buffer is full, each further element causes one drop.
  ///
  /// Each drop increases the observer's `droppedCount`, and that of the channel or state, by one.
  ///
  /// - Precondition: The limit is at least 1.
  case bounded(Int, dropping: Overflow)

  /// Keeps every element until the observer reads it. Memory grows with the number of unread elements.
  case unbounded

  /// Which element a full bounded buffer drops.
  public enum Overflow: Hashable, Sendable {
    /// Drops the oldest unread element, so that the observer always receives the newest elements.
    case oldest
    /// Drops the arriving element, so that the observer reads the buffered elements without a gap.
    case newest
  }
}

/// The unread elements of one observer in the order of sending: a ring buffer that applies a
/// ``BufferingPolicy``.
///
/// The buffer is a plain value: the code that stores it does the locking.
@usableFromInline
struct RingBuffer<Element> {
  @usableFromInline typealias Slots = ContiguousArray<Element?>

  @usableFromInline var slots: Slots = []
  @usableFromInline var head = 0
  @usableFromInline var count = 0
  @usableFromInline var droppedCount = 0
  @usableFromInline let limit: Int
  @usableFromInline let overflow: BufferingPolicy.Overflow
  @usableFromInline let countsDrops: Bool

  /// - Precondition: The limit of a bounded policy is at least 1.
  @inlinable
  init(_ buffering: BufferingPolicy) {
    switch buffering {
    case .latest: (limit, overflow, countsDrops) = (1, .oldest, false)
    case .unbounded: (limit, overflow, countsDrops) = (.max, .newest, true)
    case .bounded(let bound, let dropping):
      guard bound >= 1 else {
        fatalError("BufferingPolicy.bounded(\(bound), …): the limit must be at least 1")
      }
      (limit, overflow, countsDrops) = (bound, dropping, true)
    }
  }

  @inlinable var isUnbounded: Bool { limit == .max }
  @inlinable var isEmpty: Bool { count == 0 }
  @inlinable var first: Element? { isEmpty ? nil : slots[head] }

  /// Appends `element`, and drops one element if the buffer is full.
  ///
  /// Returns the dropped element, if any, so that the caller can release it after the unlock.
  ///
  /// - Complexity: Amortized O(1).
  @inlinable
  mutating func append(_ element: Element) -> Element? {
    if count >= limit {
      if countsDrops { droppedCount += 1 }
      guard overflow == .oldest else { return element }
      let oldest = removeFirst()
      store(element)
      return oldest
    }
    store(element)
    return nil
  }

  /// Removes and returns the oldest unread element. A large buffer that is less than a quarter full shrinks.
  ///
  /// - Complexity: Amortized O(1).
  @inlinable
  mutating func removeFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head = (head + 1) & (slots.count - 1)
    count -= 1
    if slots.count > Self.keptCapacity, count < slots.count / 4 { resize(to: slots.count / 2) }
    return element
  }

  /// Inserts `element` before the oldest unread element, without regard to the limit.
  ///
  /// - Complexity: Amortized O(1).
  @inlinable
  mutating func prepend(_ element: Element) {
    if count == slots.count { resize(to: max(4, slots.count * 2)) }
    head = (head - 1) & (slots.count - 1)
    slots[head] = element
    count += 1
  }

  /// Empties the buffer and returns its contents, so that the caller can release them after the unlock.
  @inlinable
  mutating func removeAll() -> Slots {
    (head, count) = (0, 0)
    return exchange(&slots, with: [])
  }

  @inlinable
  mutating func store(_ element: Element) {
    if count == slots.count { resize(to: max(4, slots.count * 2)) }
    slots[(head + count) & (slots.count - 1)] = element
    count += 1
  }

  /// The capacity below which the buffer never shrinks.
  @inlinable static var keptCapacity: Int { 1_024 }

  /// Changes the capacity, which is always a power of two, and moves the oldest element to index 0.
  @inlinable
  mutating func resize(to capacity: Int) {
    var resized = Slots()
    resized.reserveCapacity(capacity)
    for offset in 0..<count { resized.append(slots[(head + offset) & (slots.count - 1)]) }
    resized.append(contentsOf: repeatElement(nil, count: capacity - count))
    (slots, head) = (resized, 0)
  }
}

extension RingBuffer: Sendable where Element: Sendable {}

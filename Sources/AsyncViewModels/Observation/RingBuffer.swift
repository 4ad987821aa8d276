/// The unread elements of one observer, in the order in which they were sent: a ring buffer that keeps to a
/// ``BufferingPolicy`` policy. A pure value; whoever holds it does the locking.
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

  /// - Precondition: a bound is at least 1.
  @inlinable
  init(_ buffering: BufferingPolicy) {
    switch buffering {
    case .latest: (limit, overflow, countsDrops) = (1, .oldest, false)
    case .unbounded: (limit, overflow, countsDrops) = (.max, .newest, true)
    case .bounded(let bound, let dropping):
      guard bound >= 1 else {
        fatalError("BufferingPolicy.bounded(\(bound), …): a buffer holds at least 1 element")
      }
      (limit, overflow, countsDrops) = (bound, dropping, true)
    }
  }

  @inlinable var isUnbounded: Bool { limit == .max }
  @inlinable var isEmpty: Bool { count == 0 }
  @inlinable var first: Element? { isEmpty ? nil : slots[head] }

  /// Keeps `element`, or drops one as the policy says. Returns what was dropped, so that the caller can let it go
  /// outside its lock. Amortised O(1).
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

  /// The oldest unread element, which is read by that. O(1).
  @inlinable
  mutating func removeFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head = (head + 1) & (slots.count - 1)
    count -= 1
    return element
  }

  /// Empties the buffer. Returns what was in it, so that the caller can let it go outside its lock.
  @inlinable
  mutating func removeAll() -> Slots {
    (head, count) = (0, 0)
    return exchange(&slots, with: [])
  }

  @inlinable
  mutating func store(_ element: Element) {
    if count == slots.count { grow() }
    slots[(head + count) & (slots.count - 1)] = element
    count += 1
  }

  /// Doubles the ring, whose size is always a power of two, and unrolls it.
  @inlinable
  mutating func grow() {
    var larger = Slots()
    larger.reserveCapacity(max(4, slots.count * 2))
    for offset in 0..<count { larger.append(slots[(head + offset) & (slots.count - 1)]) }
    larger.append(contentsOf: repeatElement(nil, count: max(4, slots.count * 2) - count))
    (slots, head) = (larger, 0)
  }
}

extension RingBuffer: Sendable where Element: Sendable {}

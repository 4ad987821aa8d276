import AsyncViewModels

/// What a virtual clock knows: the time, and who waits for which moment. It does nothing by itself.
struct VirtualTimeline: Sendable {
  struct Entry: Sendable {
    let id: UInt64
    let deadline: VirtualClock.Instant
    let wakeUp: WakeUp
  }

  private(set) var now = VirtualClock.Instant.start

  /// Who waits, in the order in which they are due, and where that is equal in the order in which they came.
  private(set) var entries: [Entry] = []

  /// The deadlines of the blocks that run at this moment, by the thread on which they do.
  private var running: [ObjectIdentifier: VirtualClock.Instant] = [:]

  private var lastID: UInt64 = 0

  mutating func newID() -> UInt64 {
    lastID += 1
    return lastID
  }

  mutating func insert(_ entry: Entry) {
    let index = entries.lastIndex { $0.deadline <= entry.deadline }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: index)
  }

  mutating func remove(_ id: UInt64) -> Entry? {
    entries.firstIndex { $0.id == id }.map { entries.remove(at: $0) }
  }

  /// Moves on to the next deadline up to `instant` and takes out who is due there; `nil` when it has got to `instant`.
  mutating func step(to instant: VirtualClock.Instant) -> Entry? {
    guard let next = entries.first, next.deadline <= instant else {
      now = max(now, instant)
      return nil
    }
    now = max(now, next.deadline)
    return entries.removeFirst()
  }

  /// The moment from which a delay counts on this thread: the deadline of the block that runs on it, else now.
  func origin(on thread: ObjectIdentifier) -> VirtualClock.Instant {
    running[thread] ?? now
  }

  mutating func begin(blockDueAt deadline: VirtualClock.Instant, on thread: ObjectIdentifier) {
    running[thread] = deadline
  }

  mutating func endBlock(on thread: ObjectIdentifier) {
    running[thread] = nil
  }
}

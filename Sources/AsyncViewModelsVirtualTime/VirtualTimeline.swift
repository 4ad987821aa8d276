/// The state of a virtual clock: the time, and the waiting tasks and blocks. A pure state machine.
struct VirtualTimeline: Sendable {
  struct Entry: Sendable {
    let id: UInt64
    let deadline: VirtualClock.Instant
    let wakeUp: WakeUp
  }

  private(set) var now = VirtualClock.Instant.start

  /// The waiting tasks and blocks, in the order of deadlines, then of registration.
  private(set) var entries: [Entry] = []

  /// The deadlines of the running blocks, by thread.
  private var running: [ObjectIdentifier: VirtualClock.Instant] = [:]

  private var lastID: UInt64 = 0

  /// Whether the test has ended. Then nothing waits any longer.
  private(set) var hasEnded = false

  mutating func newID() -> UInt64 {
    lastID += 1
    return lastID
  }

  mutating func insert(_ entry: Entry) {
    if hasEnded { return }
    let index = entries.lastIndex { $0.deadline <= entry.deadline }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: index)
  }

  mutating func end() -> [Entry] {
    hasEnded = true
    defer { entries = [] }
    return entries
  }

  mutating func remove(_ id: UInt64) -> Entry? {
    entries.firstIndex { $0.id == id }.map { entries.remove(at: $0) }
  }

  /// Advances to the next deadline up to `instant`, and removes and returns its entry.
  ///
  /// If there is no such deadline, advances to `instant` and returns `nil`.
  mutating func step(to instant: VirtualClock.Instant) -> Entry? {
    guard let next = entries.first, next.deadline <= instant else {
      now = max(now, instant)
      return nil
    }
    now = max(now, next.deadline)
    return entries.removeFirst()
  }

  /// The instant from which a delay counts on this thread: the deadline of its running block, or
  /// now.
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

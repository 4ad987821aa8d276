import Synchronization

/// The least that a value costs that threads share: one uncontended lock around one store.
final class LockedValue: Sendable {
  private let guarded = Mutex(0)

  var value: Int { guarded.withLock { $0 } }

  func store(_ value: Int) { guarded.withLock { $0 = value } }

  func add() { guarded.withLock { $0 &+= 1 } }
}

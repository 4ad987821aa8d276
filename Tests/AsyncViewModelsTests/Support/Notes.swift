import Synchronization

/// What happened, in order.
final class Notes: Sendable {
  private let entries = Mutex<[String]>([])

  var all: [String] { entries.withLock { $0 } }

  func add(_ note: String) { entries.withLock { $0.append(note) } }
}

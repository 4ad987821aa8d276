import Synchronization

/// What happened, in order.
package final class Notes: Sendable {
  private let entries = Mutex<[String]>([])

  package init() {}

  package var all: [String] { entries.withLock { $0 } }

  package func add(_ note: String) { entries.withLock { $0.append(note) } }
}

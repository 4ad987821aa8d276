import Synchronization

/// A thread-safe list of notes in the order in which they were added.
package final class Notes: Sendable {
  private let entries = Mutex<[String]>([])

  /// Creates an empty list.
  package init() {}

  /// All notes in order.
  package var all: [String] { entries.withLock { $0 } }

  /// Appends a note.
  package func add(_ note: String) { entries.withLock { $0.append(note) } }
}

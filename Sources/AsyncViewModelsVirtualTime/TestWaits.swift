import Synchronization

/// A part of the test kit whose waits end with the test that made the part.
package protocol WaitsOfTest: AnyObject, Sendable {
  /// A line for each thing that a task waits for now.
  var waits: [String] { get }

  /// Ends all waits. A later wait ends at once.
  func endWaits()
}

/// The parts of the test kit that one test has made.
///
/// Keeps no part alive. The number of entries stays proportional to the number of parts that are
/// alive.
package final class TestWaits: Sendable {
  @TaskLocal package static var current: TestWaits?

  private struct Entry {
    weak var part: (any WaitsOfTest)?
  }

  private struct State {
    var entries: [Entry] = []
    var limit = 64
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Creates a test without parts.
  package init() {}

  /// A line for each thing that a task waits for now.
  package var waits: [String] { parts.flatMap(\.waits) }

  /// The number of entries.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Adds a part to the test that is running. Without such a test, the part's waits end as
  /// documented there.
  package static func add(_ part: some WaitsOfTest) {
    if current?.insert(part) == false { part.endWaits() }
  }

  /// Ends the waits of all parts, also of those that the test makes later.
  package func end() {
    state.withLock { $0.hasEnded = true }
    for part in parts { part.endWaits() }
  }

  private var parts: [any WaitsOfTest] { state.withLock { $0.entries.compactMap(\.part) } }

  private func insert(_ part: some WaitsOfTest) -> Bool {
    state.withLock { state in
      if state.hasEnded { return false }
      if state.entries.count >= state.limit {
        state.entries.removeAll { $0.part == nil }
        state.limit = max(64, 2 * state.entries.count)
      }
      state.entries.append(Entry(part: part))
      return true
    }
  }
}

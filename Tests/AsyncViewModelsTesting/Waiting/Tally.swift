import Synchronization

/// How often something happened, counted from anywhere.
package final class Tally: Sendable {
  private let atomic = Atomic(0)

  package init() {}

  package var count: Int { atomic.load(ordering: .relaxed) }

  /// Counts one more, and returns how many there are now.
  @discardableResult
  package func increment() -> Int { atomic.add(1, ordering: .relaxed).newValue }
}

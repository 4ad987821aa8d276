import Synchronization

/// A thread-safe counter.
package final class Tally: Sendable {
  private let atomic = Atomic(0)

  /// Creates a counter at 0.
  package init() {}

  /// The current count.
  package var count: Int { atomic.load(ordering: .relaxed) }

  /// Adds 1 and returns the new count.
  @discardableResult
  package func increment() -> Int { atomic.add(1, ordering: .relaxed).newValue }
}

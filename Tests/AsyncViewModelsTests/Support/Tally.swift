import Synchronization

/// How often something happened, counted from anywhere.
final class Tally: Sendable {
  private let atomic = Atomic(0)

  var count: Int { atomic.load(ordering: .relaxed) }

  /// Counts one more, and returns how many there are now.
  @discardableResult
  func increment() -> Int { atomic.add(1, ordering: .relaxed).newValue }
}

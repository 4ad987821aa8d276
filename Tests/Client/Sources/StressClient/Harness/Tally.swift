import Synchronization

/// A counter that any thread can change.
final class Tally: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  /// - Returns: The new number.
  @discardableResult
  func add(_ change: Int = 1) -> Int { number.add(change, ordering: .sequentiallyConsistent).newValue }
}

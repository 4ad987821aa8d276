import Synchronization

/// A number that any thread counts up and down.
final class Tally: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  /// - Returns: the new number.
  @discardableResult
  func add(_ change: Int = 1) -> Int { number.add(change, ordering: .sequentiallyConsistent).newValue }
}

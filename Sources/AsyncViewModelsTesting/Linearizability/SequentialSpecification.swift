/// The behavior of an object that a single caller uses: its state, and the possible answers of each operation.
///
/// ```swift
/// struct Counter: SequentialSpecification {
///   var count = 0
///
///   mutating func admits(_ operation: Operation, _ answer: Int) -> Bool {
///     if operation == .increment { count += 1 }
///     return answer == count
///   }
///
///   enum Operation { case increment, read }
/// }
/// ```
public protocol SequentialSpecification: Hashable, Sendable {
  /// What a caller asks for.
  associatedtype Operation: Sendable
  /// What a caller gets.
  associatedtype Answer: Equatable, Sendable

  /// Performs `operation`, and returns whether `answer` is one of its possible answers in this state.
  ///
  /// If the result is false, this specification is not used again.
  mutating func admits(_ operation: Operation, _ answer: Answer) -> Bool
}

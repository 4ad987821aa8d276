/// The behavior of an object that a single caller uses: its state, and the possible responses of
/// each operation.
///
/// ```swift
/// struct Counter: SequentialSpecification {
///   var count = 0
///
///   mutating func admits(_ operation: Operation, _ response: Int) -> Bool {
///     if operation == .increment { count += 1 }
///     return response == count
///   }
///
///   enum Operation { case increment, read }
/// }
/// ```
protocol SequentialSpecification: Hashable, Sendable {
  /// What a caller asks for.
  associatedtype Operation: Sendable
  /// What a caller gets.
  associatedtype Response: Equatable, Sendable

  /// Performs `operation`, and returns whether `response` is one of its possible responses in this
  /// state.
  ///
  /// If the result is false, this specification is not used again.
  mutating func admits(_ operation: Operation, _ response: Response) -> Bool
}

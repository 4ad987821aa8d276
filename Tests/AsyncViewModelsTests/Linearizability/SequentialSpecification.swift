/// The behavior of an object that a single caller uses: its state and the possible answers of each operation.
protocol SequentialSpecification: Hashable, Sendable {
  associatedtype Operation: Sendable
  associatedtype Answer: Equatable, Sendable

  /// Performs `operation` and returns whether it may return `answer` in this state.
  ///
  /// If the result is false, this value must no longer be used.
  mutating func admits(_ operation: Operation, _ answer: Answer) -> Bool
}

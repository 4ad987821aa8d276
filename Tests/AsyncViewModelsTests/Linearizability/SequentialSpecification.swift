/// The behavior of an object that a single caller uses: its state and the possible answers of each operation.
protocol SequentialSpecification: Hashable, Sendable {
  associatedtype Operation: Sendable
  associatedtype Answer: Equatable, Sendable

  /// Performs `operation`, and returns whether `answer` is one of its possible answers in this state.
  ///
  /// If the result is false, do not use this specification again.
  mutating func admits(_ operation: Operation, _ answer: Answer) -> Bool
}

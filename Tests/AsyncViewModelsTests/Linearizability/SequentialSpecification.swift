/// What an object promises to somebody who has it to himself: its state, and which answer each operation may give in it.
protocol SequentialSpecification: Hashable, Sendable {
  associatedtype Operation: Sendable
  associatedtype Answer: Equatable, Sendable

  /// Performs `operation`, where it may answer `answer` in this state. Otherwise false, and the state no longer matters.
  mutating func admits(_ operation: Operation, _ answer: Answer) -> Bool
}

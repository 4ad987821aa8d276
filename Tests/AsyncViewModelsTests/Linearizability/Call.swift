/// One call in a history: the party that made it, its operation and answer, and when it began and ended.
///
/// Two calls overlap if neither ended before the other began.
struct Call<Operation: Sendable, Answer: Sendable>: Sendable {
  let party: Int
  let operation: Operation
  let answer: Answer
  let begin: Int
  let end: Int
}

extension Call: CustomStringConvertible {
  var description: String { "\(begin)…\(end) party \(party): \(operation) → \(answer)" }
}

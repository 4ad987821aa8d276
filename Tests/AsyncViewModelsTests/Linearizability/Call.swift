/// One call in a history: the caller, the operation, the answer, and the times of its begin and end.
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

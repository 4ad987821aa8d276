/// One call in a history: who called what, what came back, and when. Two calls overlap where neither ended before the other began.
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

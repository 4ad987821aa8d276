/// One call in a history: the party that made it, its operation and response, and when it began and
/// ended.
///
/// Two calls overlap if neither ended before the other began.
struct RecordedCall<Operation: Sendable, Response: Sendable>: Sendable {
  /// The number of the caller. The calls of one party do not overlap.
  let party: Int
  /// What the party asked for.
  let operation: Operation
  /// What the party got.
  let response: Response
  /// The moment at which the call began. All moments of a history are different.
  let begin: Int
  /// The moment at which the call ended.
  let end: Int
}

extension RecordedCall: CustomStringConvertible {
  var description: String { "\(begin)…\(end) party \(party): \(operation) → \(response)" }
}

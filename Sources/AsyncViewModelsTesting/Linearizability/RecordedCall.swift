/// One call in a history: the party that made it, its operation and response, and when it began and
/// ended.
///
/// Two calls overlap if neither ended before the other began.
public struct RecordedCall<Operation: Sendable, Response: Sendable>: Sendable {
  /// The number of the caller. The calls of one party do not overlap.
  public let party: Int
  /// What the party asked for.
  public let operation: Operation
  /// What the party got.
  public let response: Response
  /// The moment at which the call began. All moments of a history are different.
  public let begin: Int
  /// The moment at which the call ended.
  public let end: Int

  /// Creates a call.
  public init(party: Int, operation: Operation, response: Response, begin: Int, end: Int) {
    self.party = party
    self.operation = operation
    self.response = response
    self.begin = begin
    self.end = end
  }
}

extension RecordedCall: CustomStringConvertible {
  public var description: String { "\(begin)…\(end) party \(party): \(operation) → \(response)" }
}

/// What an ``LoopbackHTTPServer`` does to a request instead of answering it well.
public enum LoopbackFault: Sendable, Equatable {
  /// Answers with this status and a JSON error, and does nothing else.
  case status(Int)
  /// Answers with status 200 and this body, whatever was asked for.
  case body(String)
  /// Does what was asked for, and answers so much later.
  case delay(Duration)
  /// Does what was asked for, and answers when ``LoopbackHTTPServer/release()`` is called.
  case hold
  /// Closes the connection without an answer.
  ///
  /// A client that meets this on a connection which it has used before may try again by itself, as HTTP allows: script
  /// it for more requests than one.
  case drop
  /// Announces the whole answer, sends half of the body, and closes the connection.
  case truncate
}

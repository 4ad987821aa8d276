/// A fault that a ``LoopbackHTTPServer`` injects into the handling of a request.
public enum LoopbackFault: Sendable, Equatable {
  /// Responds with this status and a JSON error, without handling the request.
  case status(Int)
  /// Responds with this status, the field `Retry-After` and a JSON error, without handling the request.
  case retryLater(Int, after: String)
  /// Responds with status 200 and this body, without handling the request.
  case body(String)
  /// Handles the request and delays the response.
  case delay(Duration)
  /// Handles the request and responds only when ``LoopbackHTTPServer/release()`` is called.
  case hold
  /// Closes the connection without handling the request and without a response.
  ///
  /// HTTP allows a client to retry an idempotent request automatically on a reused connection. Add this fault for
  /// more than one request to prevent a successful retry.
  case drop
  /// Handles the request, announces the full length of the body, sends half of it, and closes the connection.
  case truncate
  /// Handles the request, sends this number of bytes of the response, and then closes or resets the connection.
  case cut(after: Int, isReset: Bool = false)
  /// Responds that a write with the same key is still in progress, without handling the request. The text is the value of
  /// the field `Retry-After`, if there is one.
  case stillInProgress(after: String? = nil)
  /// Handles the request and sends this response instead of its own.
  case hostile(HostileResponse)
  /// Sends exactly these bytes without handling the request, and then does what `end` says.
  case bytes([UInt8], end: End = .close)

  /// What a server does after ``bytes(_:end:)``.
  public enum End: Sendable, Equatable {
    /// Closes the connection.
    case close
    /// Resets the connection, which discards the bytes that the client has not received.
    case reset
    /// Reads the next request of the connection.
    case next
    /// Sends nothing more, and keeps the connection open until the client closes it.
    case silence
    /// Sends these bytes again and again, until the client closes the connection.
    case endless([UInt8])
    /// Sends each of these bytes after a pause, and then closes the connection.
    case slow([UInt8], pause: Duration)
  }
}

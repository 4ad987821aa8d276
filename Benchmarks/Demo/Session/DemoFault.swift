import StorefrontLoopbackServer

/// A fault that the server of the demo has in every answer, until it is turned off.
enum DemoFault: String, CaseIterable {
  case none, slow, busy, dropped, malformed, held

  var summary: String {
    switch self {
    case .none: "the server answers correctly"
    case .slow: "each answer takes 1.5 seconds"
    case .busy: "503 with Retry-After: 1"
    case .dropped: "each connection is closed without an answer"
    case .malformed: "each body is broken JSON"
    case .held: "no answer until the fault is off"
    }
  }

  private var fault: LoopbackFault? {
    switch self {
    case .none: nil
    case .slow: .delay(.milliseconds(1_500))
    case .busy: .retryLater(503, after: "1")
    case .dropped: .drop
    case .malformed: .body(#"{"items": [{"id": 1, "na"#)
    case .held: .hold
    }
  }

  /// Makes the server answer all later requests with this fault, and the requests that it holds
  /// without it.
  func apply(to server: LoopbackHTTPServer) {
    if let fault { server.failRandomly(1, of: [fault], seed: 1) } else { server.failRandomly(0, seed: 1) }
    if self != .held { server.release() }
  }
}

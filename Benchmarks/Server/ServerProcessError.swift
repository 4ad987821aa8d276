/// Why there is no HTTP origin.
enum ServerProcessError: Error, Equatable {
  case notStarted
  case notLaunched(reason: String)
  /// The child ended before it served; it has said why on standard error.
  case ended(status: Int32)
}

extension ServerProcessError: CustomStringConvertible {
  var description: String {
    switch self {
    case .notStarted: "the HTTP origin was not started"
    case .notLaunched(let reason): "the HTTP origin cannot be started: \(reason)"
    case .ended(let status): "the HTTP origin ended before it served, with exit code \(status)"
    }
  }
}

/// What went wrong between this program and a service. Being called off is not among the cases: it surfaces as
/// `CancellationError`.
public enum ServiceError: Error, Equatable, Sendable {
  /// No answer, because no connection came about or it broke; the text is the system's reason.
  case unreachable(String)
  /// No answer in the time that the request was given.
  case timedOut
  /// An answer other than success.
  case status(code: Int, message: String)
  /// An answer that is not what the endpoint promises; the text names the endpoint and the field.
  case malformed(String)
  /// The service knows nothing by that name; the text is what was asked for.
  case notFound(String)
}

extension ServiceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreachable(let reason): "the service cannot be reached: \(reason)"
    case .timedOut: "the service did not answer in time"
    case .status(let code, let message): "the service answered \(code): \(message)"
    case .malformed(let what): "the answer does not make sense: \(what)"
    case .notFound(let what): "not found: \(what)"
    }
  }
}

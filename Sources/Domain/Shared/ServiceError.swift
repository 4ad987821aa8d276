public import Foundation

/// The reason why a request to a service failed. There is no case for a cancellation, which is reported as
/// `CancellationError`.
public enum ServiceError: Error, Equatable, Sendable {
  /// The connection failed or broke. The text is the reason that the system reports.
  case unreachable(String)
  /// The service sent nothing during the timeout of the request.
  case timedOut
  /// The service responded with a status other than success.
  case status(code: Int, message: String)
  /// The response does not have the expected format. The text names the endpoint and the reason.
  case malformed(String)
  /// The service has no such item. The text names the item.
  case notFound(String)
}

extension ServiceError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreachable(let reason): "The service cannot be reached: \(reason)"
    case .timedOut: "The service did not answer in time."
    case .status(let code, let message): "The service answered \(code): \(message)"
    case .malformed(let what): "The response is malformed: \(what)"
    case .notFound(let what): "The service has no such item: \(what)"
    }
  }

  public var errorDescription: String? { description }
}

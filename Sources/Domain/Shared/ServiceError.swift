public import Foundation

/// The reason why a request to a service failed. There is no case for a cancellation, which is reported as
/// `CancellationError`.
public enum ServiceError: Error, Equatable, Sendable {
  /// The device is not connected to a network. The request was not sent.
  case offline
  /// No connection to the service was made. The request was very likely not sent, but on Linux this is not certain. The
  /// text is the reason.
  case unreachable(String)
  /// No secure connection to the service was made. The request was very likely not sent, but on Linux this is not
  /// certain.
  case insecure
  /// The connection broke before the whole response arrived. The service may have received the request.
  case connectionLost
  /// The service did not answer in time. It may have received the request.
  case timedOut
  /// The body of the response has more bytes than the limit.
  case tooLarge(limit: Int)
  /// The service redirects the request to another URL, and following it is not allowed.
  case redirected(to: String)
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
    case .offline: "This device is not connected to a network."
    case .unreachable(let reason): "The service cannot be reached: \(reason)"
    case .insecure: "A secure connection to the service could not be made."
    case .connectionLost: "The connection to the service was lost."
    case .timedOut: "The service did not answer in time."
    case .tooLarge(let limit): "The response is larger than the limit of \(limit) bytes."
    case .redirected(let url): "The service redirects the request to \(url)."
    case .status(let code, let message): "The service answered \(code): \(message)"
    case .malformed(let what): "The response is malformed: \(what)"
    case .notFound(let what): "The service has no such item: \(what)"
    }
  }

  public var errorDescription: String? { description }
}

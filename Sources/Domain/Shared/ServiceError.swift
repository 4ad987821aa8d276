public import Foundation

/// The reason why a request to a service failed. A cancellation is a `CancellationError` instead.
public enum ServiceError: Error, Equatable, Sendable {
  /// The device has no network connection that the app may use. The request was not sent.
  case offline
  /// The client could not connect to the service, for this reason. With `URLSession` on Linux, the
  /// service may nevertheless have received the request.
  case unreachable(String)
  /// The client could not make a secure connection. With `URLSession` on Linux, other failures over
  /// HTTPS before the response can have this case, and the service may have received the request.
  case insecure
  /// The connection broke, or the request failed for another reason. The service may have received
  /// it.
  case connectionLost
  /// The service did not answer in time. It may have received the request.
  case timedOut
  /// The body of the response has more bytes than the limit.
  case tooLarge(limit: Int)
  /// The service redirects the request to this URL, which the client must not follow.
  case redirected(to: String)
  /// The service responded with a status other than success.
  case status(code: Int, message: String)
  /// The response has another format. The text names the endpoint and the reason.
  case malformed(String)
  /// The service has no such item. The text names the item, or the endpoint and the service's
  /// reason.
  case notFound(String)
  /// The service has received another write with this key, and has not made this one.
  case keyReused(IdempotencyKey)
  /// The service has not finished the write yet. Send it again later with the same key.
  case stillInProgress(IdempotencyKey)
}

extension ServiceError {
  /// Whether the service has refused the request, and so has not done what it asks.
  ///
  /// After any other error, the outcome of a write is unknown: send it again with the same
  /// ``IdempotencyKey``. A ``status(code:message:)`` is no refusal, because it can come from a
  /// proxy that has lost the response. A service reports its own refusals as errors of its domain,
  /// such as ``CartError/refused(_:reason:)``.
  public var isRefusal: Bool {
    switch self {
    case .notFound, .keyReused: true
    case .offline, .unreachable, .insecure, .connectionLost, .timedOut, .tooLarge, .redirected, .status,
      .malformed,
      .stillInProgress:
      false
    }
  }
}

extension ServiceError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .offline: "This device has no usable network connection."
    case .unreachable(let reason): "The service cannot be reached: \(reason)"
    case .insecure: "A secure connection to the service could not be made."
    case .connectionLost: "The connection to the service was lost."
    case .timedOut: "The service did not answer in time."
    case .tooLarge(let limit): "The response is larger than the limit of \(limit) bytes."
    case .redirected(let url): "The service redirects the request to \(url), which the app does not allow."
    case .status(let code, let message): "The service answered \(code): \(message)"
    case .malformed(let what): "The response is malformed: \(what)"
    case .notFound(let what): "The service has no such item: \(what)"
    case .keyReused(let key): "The service has already received another change with the key \(key)."
    case .stillInProgress(let key): "The service has not finished the change with the key \(key) yet."
    }
  }

  public var errorDescription: String? { description }
}

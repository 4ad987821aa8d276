import AsyncViewModels
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests over one `URLSession`.
///
/// Connections stay open and are reused. Completion handlers are called on the serial queue of the session.
final class URLSessionTransport: HTTPTransport {
  private let session: URLSession

  /// - Precondition: `timeout` is positive and `connectionLimit` is at least 1.
  init(timeout: Duration, connectionLimit: Int) {
    precondition(timeout > .zero, "the timeout of a storefront must be positive, but is \(timeout)")
    precondition(
      connectionLimit >= 1,
      "the connection limit of a storefront must be at least 1, but is \(connectionLimit)")
    let configuration = URLSessionConfiguration.ephemeral
    // The timeout is set on the session, because Linux ignores the timeout of a request.
    configuration.timeoutIntervalForRequest = Self.wholeSeconds(timeout)
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpMaximumConnectionsPerHost = connectionLimit
    session = URLSession(configuration: configuration)
  }

  /// Ends the session after its requests have finished. Otherwise the session would keep itself alive.
  deinit { session.finishTasksAndInvalidate() }

  func send(
    _ request: URLRequest, completion: @escaping @Sendable (Result<HTTPAnswer, any Error>) -> Void
  ) -> CancellationToken {
    let task = session.dataTask(with: request) { data, response, error in
      completion(error.map { .failure($0) } ?? .success((data ?? Data(), response)))
    }
    task.resume()
    return CancellationToken { task.cancel() }
  }

  /// The timeout, rounded up to whole seconds. On Linux, `URLSession` truncates a timeout, so half a second
  /// would become 0.
  static func wholeSeconds(_ timeout: Duration) -> TimeInterval {
    // A timeout longer than `longestDelay` would overflow in `URLSession`.
    let (seconds, attoseconds) = min(timeout, .longestDelay).components
    return TimeInterval(attoseconds > 0 ? seconds + 1 : seconds)
  }
}

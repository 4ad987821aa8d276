import AsyncViewModels
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests over one `URLSession`, for async callers and for callers with completion handlers.
///
/// Connections stay open and are reused.
final class HTTPTransport: Sendable {
  private let base: URL
  private let session: URLSession

  /// - Precondition: `base` is an HTTP or HTTPS URL with a host, `timeout` is positive and `connectionLimit`
  ///   is at least 1.
  init(base: URL, timeout: Duration, connectionLimit: Int) {
    precondition(
      ["http", "https"].contains(base.scheme?.lowercased()) && base.host() != nil,
      "the base URL of a storefront must be http://HOST or https://HOST, but is \(base)")
    precondition(timeout > .zero, "the timeout of a storefront must be positive, but is \(timeout)")
    precondition(
      connectionLimit >= 1,
      "the connection limit of a storefront must be at least 1, but is \(connectionLimit)")
    self.base = base
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

  /// Requests a value and decodes it outside the caller's actor, so that decoding a long response does not
  /// block a UI.
  ///
  /// This method does not use `URLSession.data(for:)`. On Linux, `data(for:)` can deadlock if a cancellation
  /// coincides with the response: it resumes its caller on the queue that `cancel()` waits for, and `cancel()`
  /// holds the lock that resuming needs.
  @concurrent
  func value<Response>(of endpoint: Endpoint<Response>) async throws -> Response {
    let (data, response) = try await withCompletionHandler { send(endpoint, completion: $0) }
    return try ResponseDecoding.value(of: endpoint, in: data, response)
  }

  /// Requests a value, decodes it on the session's queue, and calls `completion` once, on the same queue.
  func load<Response>(
    _ endpoint: Endpoint<Response>, completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    send(endpoint) { result in
      completion(
        Result {
          let (data, response) = try result.get()
          return try ResponseDecoding.value(of: endpoint, in: data, response)
        })
    }
  }

  private func send<Response>(
    _ endpoint: Endpoint<Response>,
    completion: @escaping @Sendable (Result<(Data, URLResponse?), any Error>) -> Void
  ) -> CancellationToken {
    let task = session.dataTask(with: endpoint.request(to: base)) { data, response, error in
      completion(
        error.map { .failure(ResponseDecoding.failure(of: $0)) } ?? .success((data ?? Data(), response)))
    }
    task.resume()
    return CancellationToken { task.cancel() }
  }

  /// The timeout, rounded up to whole seconds. On Linux, `URLSession` truncates a timeout, so half a second
  /// would become 0.
  static func wholeSeconds(_ timeout: Duration) -> TimeInterval {
    // A longer timeout would overflow in `URLSession`.
    let (seconds, attoseconds) = min(timeout, .longestDelay).components
    return TimeInterval(attoseconds > 0 ? seconds + 1 : seconds)
  }
}

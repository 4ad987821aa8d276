import AsyncViewModels
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests over one `URLSession`, in both forms. Its connections stay open and are used again.
final class HTTPTransport: Sendable {
  private let base: URL
  private let session: URLSession

  /// - Precondition: `base` is an HTTP or HTTPS URL with a host, `timeout` is positive, `connectionLimit` at least 1.
  init(base: URL, timeout: Duration, connectionLimit: Int) {
    precondition(
      ["http", "https"].contains(base.scheme?.lowercased()) && base.host() != nil,
      "the base URL of a storefront is not http://HOST or https://HOST: \(base)")
    precondition(timeout > .zero, "the timeout of a storefront is not positive: \(timeout)")
    precondition(
      connectionLimit >= 1, "the connection limit of a storefront is not positive: \(connectionLimit)")
    self.base = base
    let configuration = URLSessionConfiguration.ephemeral
    // The session's own setting, because on Linux that of a request is not heeded.
    configuration.timeoutIntervalForRequest = Self.wholeSeconds(timeout)
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpMaximumConnectionsPerHost = connectionLimit
    session = URLSession(configuration: configuration)
  }

  /// A session keeps itself alive until it is told.
  deinit { session.finishTasksAndInvalidate() }

  /// Off the caller's actor, so that decoding a long answer keeps no user interface waiting.
  ///
  /// `URLSession.data(for:)` is not used: on Linux it resumes its caller on the very queue that cancelling waits for,
  /// under the lock that resuming needs, so that a cancellation which meets the answer is a deadlock.
  @concurrent
  func value<Response>(of endpoint: Endpoint<Response>) async throws -> Response {
    let (data, response) = try await withCompletionHandler { send(endpoint, completion: $0) }
    return try ResponseDecoding.value(of: endpoint, in: data, response)
  }

  /// Calls `completion` once, on the session's queue, after the answer was decoded there.
  func load<Response>(
    _ endpoint: Endpoint<Response>, completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    send(endpoint) { answer in
      completion(
        Result {
          let (data, response) = try answer.get()
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

  /// Rounded up: on Linux `URLSession` cuts the fraction off, so that half a second would be none at all.
  static func wholeSeconds(_ timeout: Duration) -> TimeInterval {
    let (seconds, attoseconds) = timeout.components
    return TimeInterval(attoseconds > 0 ? seconds + 1 : seconds)
  }
}

package import AsyncViewModels
package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Requests the values of a server's endpoints, for async callers and for callers with completion handlers.
final class HTTPClient: Sendable {
  private let base: URL
  private let transport: any HTTPTransport

  /// - Precondition: `base` is an HTTP or HTTPS URL with a host.
  init(base: URL, transport: any HTTPTransport) {
    precondition(
      ["http", "https"].contains(base.scheme?.lowercased()) && base.host() != nil,
      "the base URL of a storefront must be http://HOST or https://HOST, but is \(base)")
    self.base = base
    self.transport = transport
  }

  /// Requests a value and decodes it outside the caller's actor, so that decoding a long response does not
  /// block a UI.
  ///
  /// This method does not use `URLSession.data(for:)`. On Linux, `data(for:)` can deadlock if a cancellation
  /// coincides with the response. `cancel()` holds a lock while it waits for a queue. On this queue,
  /// `data(for:)` resumes its caller, and resuming needs the same lock.
  @concurrent
  func value<Response>(of endpoint: Endpoint<Response>) async throws -> Response {
    let (body, head) = try await withCompletionHandler { send(endpoint, completion: $0) }
    return try ResponseDecoding.value(of: endpoint, in: body, head)
  }

  /// Requests a value. Decodes it and calls `completion` once, both within the completion handler of the
  /// transport.
  func load<Response>(
    _ endpoint: Endpoint<Response>, completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    send(endpoint) { result in
      completion(
        Result {
          let (body, head) = try result.get()
          return try ResponseDecoding.value(of: endpoint, in: body, head)
        })
    }
  }

  private func send<Response>(
    _ endpoint: Endpoint<Response>, completion: @escaping @Sendable (Result<HTTPAnswer, any Error>) -> Void
  ) -> CancellationToken {
    transport.send(endpoint.request(to: base)) { completion($0.mapError(ResponseDecoding.failure)) }
  }
}

/// Sends a request and receives the whole response.
///
/// The storefronts use ``URLSessionTransport``. Tests in a simulated world use another transport, because the
/// simulated world cannot control a `URLSession`.
package protocol HTTPTransport: Sendable {
  /// Sends the request and calls `completion` once. Cancelling or releasing the token cancels the request.
  func send(
    _ request: URLRequest, completion: @escaping @Sendable (Result<HTTPAnswer, any Error>) -> Void
  ) -> CancellationToken
}

/// The body and the head of a response.
package typealias HTTPAnswer = (body: Data, head: URLResponse?)

import AsyncViewModels
import Dispatch
import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests the values of a server's endpoints, for async callers and for callers with completion handlers.
final class HTTPClient: Sendable {
  private let base: BaseURL
  private let transport: any HTTPTransport
  private let deadline: Duration
  private let clock: any Clock<Duration>
  private let completions = DispatchQueue(label: "HTTPClient.completions")

  /// - Throws: ``BaseURLError`` if requests cannot be sent to `baseURL`.
  init(
    baseURL: URL, transport: any HTTPTransport, deadline: Duration, clock: any Clock<Duration>
  ) throws(BaseURLError) {
    base = try BaseURL(baseURL)
    self.transport = transport
    self.deadline = deadline
    self.clock = clock
  }

  /// Requests a value and decodes it outside the caller's actor, so that decoding a long response does not
  /// block a UI.
  ///
  /// A cancelled caller does not wait for the transport or the decoding.
  ///
  /// This method does not use `URLSession.data(for:)`. On Linux, `data(for:)` can deadlock if a cancellation
  /// coincides with the response. `cancel()` holds a lock while it waits for a queue. On this queue,
  /// `data(for:)` resumes its caller, and resuming needs the same lock.
  @concurrent
  func value<Response>(of endpoint: Endpoint<Response>) async throws -> Response {
    // The compiler opens the existential type of a local constant, but not of this property.
    let clock = clock
    return try await value(of: endpoint, on: clock)
  }

  private func value<Response>(
    of endpoint: Endpoint<Response>, on clock: some Clock<Duration>
  ) async throws -> Response {
    do {
      return try await withAbandoningDeadline(deadline, clock: clock) { [self] in
        let answer = try await answer(to: endpoint)
        return try ResponseDecoding.value(of: endpoint, in: answer)
      }
    } catch is DeadlineExceeded {
      throw ServiceError.timedOut
    }
  }

  /// Requests a value. Calls `completion` exactly once, on a serial queue, and never within this call.
  func load<Response>(
    _ endpoint: Endpoint<Response>, completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion, on: completions) { [self] in try await value(of: endpoint) }
  }

  /// The response to the request of an endpoint, after all redirections that may be followed.
  private func answer<Response>(to endpoint: Endpoint<Response>) async throws -> HTTPAnswer {
    var request = endpoint.request(to: base)
    var redirections = 0
    while true {
      let answer = try await ResponseDecoding.namingErrors(of: endpoint) {
        try await withCompletionHandler { transport.send(request, completion: $0) }
      }
      guard let target = Redirection.target(of: answer.head, for: request) else { return answer }
      guard redirections < Redirection.limit, let next = Redirection.request(after: request, to: target)
      else { throw ServiceError.redirected(to: target.absoluteString.presentable) }
      request = next
      redirections += 1
    }
  }
}

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

  /// Creates a client of the server at `baseURL`.
  ///
  /// - Throws: ``BaseURLError`` if `baseURL` breaks one of the rules in ``BaseURLError/Reason``.
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
  /// coincides with the response. The cancellation of the task holds a lock of the task and waits for a queue of
  /// `URLSession`. On that queue, `data(for:)` resumes the task, which needs the same lock.
  @concurrent
  func value<Response>(of endpoint: Endpoint<Response>) async throws -> Response {
    // The compiler of Swift 6.3.1 opens the existential type of a local constant here, but not of this property.
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

  /// The response to the endpoint's request, after all redirections.
  ///
  /// - Throws: `ServiceError.redirected(to:)` if the client must not follow a redirection, or another error.
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

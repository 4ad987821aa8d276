package import AsyncViewModels
package import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Sends a request once and receives the whole response.
///
/// The storefronts use a ``StreamingTransport``. A simulated world, without sockets, replaces it.
package protocol HTTPTransport: Sendable {
  /// Sends the request. Calls `completion` at most once, on any thread.
  ///
  /// Returns redirections, like every other response. Cancelling or releasing the token cancels the
  /// request: `completion` may then not be called.
  func send(
    _ request: URLRequest, completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
  ) -> CancellationToken
}

/// The body and the head of a response.
package typealias TransportResponse = (body: Data, head: HTTPURLResponse)

/// Sends a request once and delivers the response while it arrives.
protocol StreamingTransport: HTTPTransport {
  var bodyLength: Int { get }

  /// Sends the request and passes the response to `receiver`, on any thread, without blocking.
  ///
  /// Does not follow redirections. Cancelling or releasing the token cancels the request and
  /// releases the receiver, whose running call continues.
  func send(_ request: URLRequest, to receiver: any HTTPReceiver) -> CancellationToken
}

extension StreamingTransport {
  package func send(
    _ request: URLRequest, completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
  ) -> CancellationToken {
    send(request, to: ResponseCollector(bodyLength: bodyLength, completion: completion))
  }
}

/// Receives one response.
///
/// The transport makes one call at a time: for the head, for each part of the body, and for the
/// end. If the request fails, the end can come first. After a cancellation, it may not come.
protocol HTTPReceiver: Sendable {
  /// Receives the head. Returns whether to continue. Otherwise, the request is cancelled and ends.
  func receive(_ head: HTTPURLResponse) -> Bool
  /// Receives the next part of the body, decompressed. Returns whether to continue.
  func receive(_ part: Data) -> Bool
  /// Receives the error that ended the response, unless it is complete or was stopped here.
  func end(with error: ServiceError?)
}

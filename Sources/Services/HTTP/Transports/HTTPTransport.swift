package import AsyncViewModels
package import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Sends a request once and receives the whole response.
///
/// The storefronts use a ``StreamingTransport``. Tests in a simulated world use another transport, because the
/// simulated world cannot control sockets.
package protocol HTTPTransport: Sendable {
  /// Sends the request and calls `completion` at most once, on any thread, with the response or an error.
  ///
  /// A transport does not follow redirections: it returns them, like every other response. Cancelling or
  /// releasing the token cancels the request. After that, `completion` may not be called.
  func send(
    _ request: URLRequest, completion: @escaping @Sendable (Result<HTTPAnswer, any Error>) -> Void
  ) -> CancellationToken
}

/// The body and the head of a response.
package typealias HTTPAnswer = (body: Data, head: HTTPURLResponse)

/// Sends a request once and delivers the response while it arrives.
protocol StreamingTransport: HTTPTransport {
  /// The largest number of bytes in the body of a whole response, after decompression.
  var bodyLength: Int { get }

  /// Sends the request and passes the response to `receiver`, on any thread.
  ///
  /// Does not follow redirections. Does not block the caller. Cancelling or releasing the token cancels the request and
  /// releases the receiver. A call of the receiver that is already running continues.
  func send(_ request: URLRequest, to receiver: any HTTPReceiver) -> CancellationToken
}

extension StreamingTransport {
  package func send(
    _ request: URLRequest, completion: @escaping @Sendable (Result<HTTPAnswer, any Error>) -> Void
  ) -> CancellationToken {
    send(request, to: ResponseCollector(bodyLength: bodyLength, completion: completion))
  }
}

/// Receives one response.
///
/// The transport makes one call at a time: one for the head, one for each part of the body, and one for the end. If the request
/// fails, the end can come first. If the request is cancelled, it may not come at all.
protocol HTTPReceiver: Sendable {
  /// Receives the head. Returns whether the transport should continue. If not, it cancels the request and calls ``end(with:)``.
  func receive(_ head: HTTPURLResponse) -> Bool
  /// Receives the next part of the body, decompressed. Returns whether the transport should continue, as for the head.
  func receive(_ part: Data) -> Bool
  /// Receives the error that ended the response, or `nil` if the response is complete or this receiver stopped it.
  func end(with error: ServiceError?)
}

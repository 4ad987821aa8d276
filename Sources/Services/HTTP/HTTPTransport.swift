package import AsyncViewModels
package import Foundation
package import StorefrontDomain

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Sends a request once and receives the whole response.
///
/// The storefronts use ``URLSessionTransport``. Tests in a simulated world use another transport, because the
/// simulated world cannot control a `URLSession`.
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

extension ServiceError {
  /// The error for a request that failed without a complete response.
  ///
  /// On Linux, `URLSession` reports many failures as `URLError.unknown`. So the error also depends on how far
  /// the request came.
  package init(_ error: URLError, isSecure: Bool, hasHead: Bool) {
    self =
      switch error.code {
      case .timedOut: .timedOut
      case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: .offline
      case .cannotFindHost, .dnsLookupFailed: .unreachable("the host is unknown")
      case .cannotConnectToHost where !hasHead: .unreachable("the host does not accept the connection")
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
        .insecure
      case .unsupportedURL, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
        .malformed("it is not HTTP")
      case .unknown where isSecure && !hasHead: .insecure
      default: .connectionLost
      }
  }
}

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rule that chooses the transport of a storefront.
enum DefaultTransport {
  /// A ``URLSessionTransport`` with `configuration`. Without one, a ``CurlTransport`` on Linux, if
  /// libcurl is available, and elsewhere a ``URLSessionTransport`` with an ephemeral configuration.
  static func transport(
    limits: HTTPLimits, configuration: URLSessionConfiguration?
  ) -> any StreamingTransport {
    if let configuration { return URLSessionTransport(limits: limits, configuration: configuration) }
    #if os(Linux)
      if let transport = CurlTransport(limits: limits) { return transport }
    #endif
    return URLSessionTransport(limits: limits, configuration: .ephemeral)
  }
}

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rule that chooses the transport of a storefront.
enum DefaultTransport {
  /// A ``URLSessionTransport`` with `configuration`. Without a configuration, a ``CurlTransport`` on Linux, if libcurl is available (loaded, and version 7.68 or later), and
  /// a ``URLSessionTransport`` with an ephemeral configuration elsewhere.
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

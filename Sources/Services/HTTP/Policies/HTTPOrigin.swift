import Foundation

/// The scheme, the host and the port of a URL, which identify a server (RFC 6454).
struct HTTPOrigin: Hashable, Sendable {
  private let scheme: String
  private let host: String
  private let port: Int

  /// The origin of an HTTP or HTTPS URL with a host.
  init?(_ url: URL?) {
    guard let url, let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host()?.lowercased(), !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.actualPort
  }
}

extension URL {
  /// The port of the URL, or the default port of its scheme.
  var actualPort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rules for responses that redirect a request.
///
/// A read follows up to ``limit`` redirections to the same host and port. From HTTP to HTTPS, port
/// 443 is also allowed. All other redirections are errors:
///
/// - A redirected write, which the server may already have applied.
/// - A redirection to another host or port, which could receive data that is meant for this server.
/// - A redirection from HTTPS to HTTP, or to a URL with a user name or a password.
enum Redirection {
  static let limit = 5

  /// The URL to which a response redirects `request`, if it has a redirecting status and a valid
  /// `Location`.
  static func target(of response: HTTPURLResponse, for request: URLRequest) -> URL? {
    guard [301, 302, 303, 307, 308].contains(response.statusCode),
      let location = response.value(forHTTPHeaderField: "Location"), !location.isEmpty
    else { return nil }
    return URL(string: location, relativeTo: request.url)?.absoluteURL
  }

  /// The request that follows a redirection, or `nil` if the client must not follow it.
  static func request(after request: URLRequest, to target: URL) -> URLRequest? {
    guard request.httpMethod == "GET", let url = request.url, isAllowed(from: url, to: target) else {
      return nil
    }
    var next = request
    next.url = target
    return next
  }

  private static func isAllowed(from url: URL, to target: URL) -> Bool {
    guard target.user() == nil, target.password() == nil,
      url.host()?.lowercased() == target.host()?.lowercased()
    else { return false }
    return switch (url.scheme?.lowercased(), target.scheme?.lowercased()) {
    case ("http", "http"), ("https", "https"): url.actualPort == target.actualPort
    // A server that moves to HTTPS usually changes its port.
    case ("http", "https"): [url.actualPort, 443].contains(target.actualPort)
    default: false
    }
  }
}

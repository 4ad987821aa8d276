import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rules for responses that redirect a request.
///
/// A read follows a redirection to the same host and port, and from HTTP to HTTPS also to port 443. A redirected
/// write is an error: a server that redirects it may have applied it, and a client would have to guess whether to send it
/// again. So is a redirection to another host, which could receive data that is meant for this server, one from
/// HTTPS to HTTP, and one that contains a user name or a password.
enum Redirection {
  /// The number of redirections that one read follows.
  static let limit = 5

  /// The URL to which a response redirects `request`. `nil` if the response is not a redirection.
  static func target(of response: HTTPURLResponse, for request: URLRequest) -> URL? {
    guard [301, 302, 303, 307, 308].contains(response.statusCode),
      let location = response.value(forHTTPHeaderField: "Location"), !location.isEmpty
    else { return nil }
    return URL(string: location, relativeTo: request.url)?.absoluteURL
  }

  /// The request that follows a redirection of `request` to `target`. `nil` if it must not be followed.
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

extension URL {
  fileprivate var actualPort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}

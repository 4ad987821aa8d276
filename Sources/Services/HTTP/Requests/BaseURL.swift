public import Foundation

/// The URL of a server. The path of each request is appended to it.
struct BaseURL: Sendable {
  private let components: URLComponents

  /// Creates a base URL.
  ///
  /// - Throws: ``BaseURLError`` if `url` breaks one of the rules in ``BaseURLError/Reason``.
  init(_ url: URL) throws(BaseURLError) {
    let parsed = URLComponents(url: url, resolvingAgainstBaseURL: true)
    if let reason = Self.brokenRule(of: parsed) { throw BaseURLError(url: url, reason: reason) }
    guard var components = parsed else { preconditionFailure("\(url) breaks no rule, but cannot be parsed") }
    // `URLSession` on Linux recognizes only lowercase schemes.
    components.scheme = components.scheme?.lowercased()
    self.components = components
  }

  /// The rule that a base URL breaks, or `nil`.
  ///
  /// - Parameter components: The components of the URL, or `nil` if it cannot be parsed.
  static func brokenRule(of components: URLComponents?) -> BaseURLError.Reason? {
    guard let components else { return .malformed }
    if !["http", "https"].contains(components.scheme?.lowercased()) { return .notHTTP }
    if components.host?.isEmpty ?? true { return .noHost }
    if let port = components.port, !(1...65_535).contains(port) { return .invalidPort }
    if components.user != nil || components.password != nil { return .hasUser }
    if components.query != nil { return .hasQuery }
    return components.fragment == nil ? nil : .hasFragment
  }

  /// The scheme, the host and the port of the server.
  var origin: HTTPOrigin {
    guard let origin = HTTPOrigin(components.url) else { preconditionFailure("\(components) has no origin") }
    return origin
  }

  /// The URL with `path` and `query` appended.
  ///
  /// - Parameter path: A path that begins with a slash and contains only unreserved characters and slashes.
  func appending(_ path: String, query: [URLQueryItem]) -> URL {
    var components = components
    components.percentEncodedPath = components.percentEncodedPath.trimmingSuffix("/") + path
    components.queryItems = query.isEmpty ? nil : query
    // The URL syntax allows a plus in a query, so `URLComponents` does not escape it. Many servers decode a plus as a
    // space.
    components.percentEncodedQuery = components.percentEncodedQuery?.replacing("+", with: "%2B")
    guard let url = components.url else { preconditionFailure("\(path) cannot be appended to \(components)") }
    return url
  }
}

/// An error for a URL that a storefront cannot use as its base URL.
public struct BaseURLError: Error, Equatable, Sendable {
  /// The rule that the URL breaks.
  public enum Reason: Equatable, Sendable {
    /// The URL breaks the syntax of RFC 3986.
    case malformed
    /// The scheme is neither `http` nor `https`.
    case notHTTP
    /// The URL has no host.
    case noHost
    /// The port is not from 1 to 65,535.
    case invalidPort
    /// The URL contains a user name or a password. Requests would not send them.
    case hasUser
    /// The URL has a query. Requests would drop it.
    case hasQuery
    /// The URL has a fragment. Requests would drop it.
    case hasFragment
  }

  /// The rejected URL.
  public let url: URL
  /// The rule that the URL breaks.
  public let reason: Reason

  /// Creates an error.
  public init(url: URL, reason: Reason) {
    self.url = url
    self.reason = reason
  }
}

extension BaseURLError: LocalizedError, CustomStringConvertible {
  public var description: String {
    let rule =
      switch reason {
      case .malformed: "it is not a valid URL"
      case .notHTTP: "its scheme must be http or https"
      case .noHost: "it has no host"
      case .invalidPort: "its port must be from 1 to 65535"
      case .hasUser: "it must not contain a user name or a password"
      case .hasQuery: "it must not have a query"
      case .hasFragment: "it must not have a fragment"
      }
    return "\(url.absoluteString) cannot be the base URL of a storefront: \(rule)"
  }

  public var errorDescription: String? { description }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

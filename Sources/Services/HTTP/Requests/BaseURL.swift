public import Foundation

/// The URL of a server. The path of each request is appended to it.
struct BaseURL: Sendable {
  private let components: URLComponents

  /// - Throws: ``BaseURLError`` if `url` breaks one of the rules in ``BaseURLError/Reason``.
  init(_ url: URL) throws(BaseURLError) {
    let parsed = URLComponents(url: url, resolvingAgainstBaseURL: true)
    if let reason = Self.brokenRule(of: parsed) { throw BaseURLError(url: url, reason: reason) }
    guard var components = parsed else { preconditionFailure("\(url) breaks no rule, but cannot be parsed") }
    // `URLSession` on Linux recognizes only lowercase schemes.
    components.scheme = components.scheme?.lowercased()
    self.components = components
  }

  /// The rule that a base URL breaks, if any. `nil` components cannot be parsed.
  static func brokenRule(of components: URLComponents?) -> BaseURLError.Reason? {
    guard let components else { return .malformed }
    if !["http", "https"].contains(components.scheme?.lowercased()) { return .notHTTP }
    if components.host?.isEmpty ?? true { return .noHost }
    if let port = components.port, !(1...65_535).contains(port) { return .invalidPort }
    if components.user != nil || components.password != nil { return .hasUser }
    if components.query != nil { return .hasQuery }
    return components.fragment == nil ? nil : .hasFragment
  }

  var origin: HTTPOrigin {
    guard let origin = HTTPOrigin(components.url) else { preconditionFailure("\(components) has no origin") }
    return origin
  }

  /// The URL with `path` and `query` appended.
  ///
  /// - Parameter path: Begins with a slash. Contains only unreserved characters and slashes.
  func appending(_ path: String, query: [URLQueryItem]) -> URL {
    var components = components
    components.percentEncodedPath = components.percentEncodedPath.trimmingSuffix("/") + path
    // Many servers decode a plus as a space, and some split at a semicolon or a comma.
    components.percentEncodedQueryItems =
      query.isEmpty
      ? nil
      : query.map { URLQueryItem(name: $0.name.queryEncoded, value: $0.value?.queryEncoded) }
    guard let url = components.url else { preconditionFailure("\(path) cannot be appended to \(components)") }
    return url
  }
}

/// An error for a URL that a storefront cannot use as its base URL.
///
/// Its texts, its mirror and `dump` hide the user, password, query and fragment, which can be
/// secrets.
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

  /// The rejected URL, with all its parts.
  public let url: URL
  /// The rule that the URL breaks.
  public let reason: Reason

  /// Creates an error.
  public init(url: URL, reason: Reason) {
    self.url = url
    self.reason = reason
  }
}

extension BaseURLError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
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
    return "\(url.withoutSecrets) cannot be the base URL of a storefront: \(rule)"
  }

  public var errorDescription: String? { description }

  public var debugDescription: String { description }

  /// A mirror that contains only the reason.
  public var customMirror: Mirror { Mirror(self, children: ["reason": reason]) }
}

extension URL {
  /// The scheme, the host, the port and the path, for texts. The other parts can be secrets.
  var withoutSecrets: String {
    guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "The URL" }
    (components.user, components.password) = (nil, nil)
    (components.query, components.fragment) = (nil, nil)
    return components.string ?? "The URL"
  }
}

extension String {
  /// The text with escapes for all reserved characters (RFC 3986, section 2.3).
  fileprivate var queryEncoded: String {
    utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where "-._~".utf8.contains(byte): text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

public import Foundation

/// Reads the links that lead into an app: `scheme://host/…`.
public struct DeepLinkParser<Route: Hashable & Sendable>: Sendable {
  public let scheme: String
  public let host: String
  private let routes: @Sendable ([String]) throws(DeepLinkParserError) -> [Route]

  /// - Parameter routes: what the components of a link's path stand for, from the root on. They are decoded, and none is empty.
  public init(
    scheme: String, host: String,
    routes: @escaping @Sendable (_ components: [String]) throws(DeepLinkParserError) -> [Route]
  ) {
    self.scheme = scheme
    self.host = host
    self.routes = routes
  }

  /// Where a link leads. Scheme and host are compared without regard to case; query and fragment are not looked at.
  ///
  /// - Throws: ``DeepLinkParserError``, which names the first part that is wrong.
  public func path(for url: URL) throws(DeepLinkParserError) -> RoutePath<Route> {
    guard url.scheme?.lowercased() == scheme.lowercased() else { throw .scheme(url.scheme ?? "") }
    let found = url.host() ?? ""
    guard found.lowercased() == host.lowercased() else { throw .host(found) }
    var components: [String] = []
    for raw in url.path(percentEncoded: true).split(separator: "/") {
      guard let component = String(raw).removingPercentEncoding else { throw .component(String(raw)) }
      components.append(component)
    }
    return RoutePath(try routes(components))
  }
}

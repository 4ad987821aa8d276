public import Foundation

/// Opens deep links of the form `scheme://host/…` in a navigation tree.
///
/// ```swift
/// let links = DeepLinkParser<AppRoute>(scheme: "shop", host: "app") {
///   components, tree throws(DeepLinkParserError) in
///   switch components.first {
///   case nil: tree.front.popToRoot()
///   case "cart": tree.front = RoutePath([.cart])
///   case let other?: throw .component(other)
///   }
/// }
/// ```
public struct DeepLinkParser<Route: Hashable & Sendable>: Sendable {
  /// The scheme that a link has to have.
  public let scheme: String
  /// The host that a link has to have, as it was passed to the initializer.
  public let host: String
  private let canonicalHost: String
  private let change: @Sendable ([String], inout NavigationTree<Route>) throws(DeepLinkParserError) -> Void

  /// Creates a parser for the links with one scheme and host.
  ///
  /// - Parameters:
  ///   - scheme: The scheme that a link has to have.
  ///   - host: The host that a link has to have, in any spelling: `bücher.example` or
  ///     `xn--bcher-kva.example`, with percent-encoded characters or without, in upper or lower
  ///     case, with or without a dot at the end.
  ///   - open: Changes the tree for the components of a link's path. There may be no components.
  ///     Each component is percent-decoded and is not the empty string. If `open` throws, the tree
  ///     stays as it was.
  public init(
    scheme: String, host: String,
    open:
      @escaping @Sendable (
        _ components: [String], _ tree: inout NavigationTree<Route>
      ) throws(DeepLinkParserError) -> Void
  ) {
    self.scheme = scheme
    self.host = host
    canonicalHost = Self.canonical(host)
    change = open
  }

  /// Changes a tree as a link asks for.
  ///
  /// The comparison of the scheme ignores case. The comparison of the host ignores the spelling: it
  /// compares the ASCII forms (RFC 5890) in lower case and without a dot at the end. The query and
  /// the fragment of the link are ignored. A link with a user, a password or a port is rejected.
  ///
  /// - Throws: ``DeepLinkParserError`` for the first invalid part of the link. The tree is then
  ///   unchanged.
  public func open(_ url: URL, in tree: inout NavigationTree<Route>) throws(DeepLinkParserError) {
    guard url.scheme?.lowercased() == scheme.lowercased() else { throw .scheme(url.scheme ?? "") }
    let found = url.host() ?? ""
    guard Self.canonical(found) == canonicalHost else { throw .host(found) }
    // Not `url.port`, which is `nil` for a number that is no `Int`.
    let port = URLComponents(url: url, resolvingAgainstBaseURL: true)?.rangeOfPort
    guard url.user() == nil, url.password() == nil, port == nil else { throw .authority(found) }
    var components: [String] = []
    for raw in url.path(percentEncoded: true).split(separator: "/") {
      guard let component = String(raw).removingPercentEncoding else { throw .component(String(raw)) }
      components.append(component)
    }
    var changed = tree
    try change(components, &changed)
    // A route with a NaN differs from itself, so each change of the tree would replace its screen.
    guard changed.routes.allSatisfy({ $0 == $0 }) else { throw .component(components.last ?? "") }
    tree = changed
  }

  /// The ASCII form of a host, in lower case and without brackets or a dot at the end.
  ///
  /// Foundation parses a host in one form and returns it in another, so both sides of a comparison
  /// need a form that does not depend on how they were written.
  private static func canonical(_ host: String) -> String {
    var host = host.removingPercentEncoding ?? host
    // Only letters and digits of other languages are converted: an ASCII character that separates
    // the parts of a URL must not become one here.
    let isName = host.unicodeScalars.allSatisfy {
      !$0.isASCII || $0.properties.isAlphabetic || "0"..."9" ~= $0 || "-._".unicodeScalars.contains($0)
    }
    if isName, !host.utf8.allSatisfy({ $0 < 0x80 }),
      let ascii = URL(string: "https://\(host)/")?.host(percentEncoded: false)
    {
      host = ascii
    }
    host = host.lowercased()
    if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }
}

/// The invalid part of a link, with the text of that part. The text is empty if the link does not
/// have the part. For ``authority(_:)``, the text is the host.
public enum DeepLinkParserError: Error, Hashable, Sendable {
  /// The link has a different scheme.
  case scheme(String)
  /// The link has a different host.
  case host(String)
  /// The link contains a user, a password or a port next to this host.
  case authority(String)
  /// A component of the path cannot be percent-decoded, is unknown, or is not valid at its
  /// position.
  case component(String)
  /// The text is not a valid id of the kind named by `of`.
  case id(String, of: String)
}

extension DeepLinkParserError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .scheme(let text): "The app does not open links with the scheme \"\(text)\"."
    case .host(let text): "The app does not open links to the host \"\(text)\"."
    case .authority(let text): "The link contains a user, a password or a port next to the host \"\(text)\"."
    case .component(let text): "The path of the link is invalid at \"\(text)\"."
    case .id(let text, let what): "The link needs a valid id (\(what)), but contains \"\(text)\"."
    }
  }

  public var errorDescription: String? { description }
}

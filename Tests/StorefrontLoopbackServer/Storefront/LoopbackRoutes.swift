import Foundation
import StorefrontDomain

/// Maps requests to responses. Caches encoded responses to `GET` requests until data changes.
///
/// Not Sendable: only the thread of the server uses it.
struct LoopbackRoutes {
  let catalog: Catalog
  let cart: LoopbackCart
  let profile: LoopbackProfile
  let posts: LoopbackPosts
  let feed: LoopbackFeed
  private lazy var index = CatalogIndex(catalog)
  private var cache: [String: [UInt8]] = [:]

  /// The maximum number of cached responses: enough for all pages and products of a usual catalog. A full
  /// cache is cleared.
  private static let cacheLimit = 16_384

  init(
    catalog: Catalog, cart: LoopbackCart, profile: LoopbackProfile, posts: LoopbackPosts, feed: LoopbackFeed
  ) {
    self.catalog = catalog
    self.cart = cart
    self.profile = profile
    self.posts = posts
    self.feed = feed
  }

  /// Begins the response to a request of the feed. Returns `nil` for every other request.
  func subscription(for request: HTTPRequest) -> LoopbackFeed.Subscription? {
    guard request.method == "GET", HTTPTarget(request.target).path == ["feed"] else { return nil }
    return feed.subscribe(after: request.lastEventID)
  }

  /// Returns the encoded response to a request, from the cache if possible.
  mutating func encodedResponse(to request: HTTPRequest) -> [UInt8] {
    let isCacheable = request.method == "GET" && request.keepsAlive
    if isCacheable, let bytes = cache[request.target] { return bytes }
    let response = response(to: request)
    let bytes = response.encoded(keepsAlive: request.keepsAlive, withBody: request.method != "HEAD")
    if isCacheable, response.status == 200 {
      if cache.count >= Self.cacheLimit { clearCache() }
      cache[request.target] = bytes
    }
    return bytes
  }

  /// Clears the cache. Every function that changes data for `GET` requests must call this method.
  mutating func clearCache() { cache.removeAll(keepingCapacity: true) }

  mutating func response(to request: HTTPRequest) -> HTTPResponse {
    let target = HTTPTarget(request.target)
    do throws(ParameterError) {
      switch (request.method, target.path) {
      case ("POST", ["cart", "changes"]): return try changeCart(request.body)
      case (_, ["cart", "changes"]): return .error(405, "only POST is allowed here")
      case ("PUT", ["profile"]): return try saveProfile(request.body)
      case ("DELETE", let path) where path.count == 2 && path[0] == "posts": return try deletePost(path[1])
      case ("GET", _), ("HEAD", _): return try read(target)
      default: return .error(405, "only GET is allowed here")
      }
    } catch {
      return .error(400, "\(error.parameter): \(error.reason)", parameter: error.parameter)
    }
  }

  private mutating func read(_ target: HTTPTarget) throws(ParameterError) -> HTTPResponse {
    switch target.path {
    case ["products"]: return try products(target)
    case ["search"]: return try search(target)
    case ["profile"]: return .json(profile.current)
    case ["posts"]: return .json(posts.current)
    case ["orders"]: return .json(catalog.orders)
    case ["recommendations"]: return .json(catalog.recommendations)
    case let path where path.count == 2 && path[0] == "products": return try product(path[1])
    case let path: return .error(404, "no resource at /\(path.joined(separator: "/"))")
    }
  }

  private func products(_ target: HTTPTarget) throws(ParameterError) -> HTTPResponse {
    let index = try target.number("page", in: 0...Int.max, default: 0)
    let size = try target.number("size", in: 1...1_000, default: 20)
    return .json(Page(PageRequest(index: index, size: size), of: catalog.products))
  }

  private func product(_ text: String) throws(ParameterError) -> HTTPResponse {
    guard let id = Int(text) else {
      throw ParameterError(parameter: "id", reason: "expected a whole number, found \"\(text)\"")
    }
    guard let product = catalog.product(CatalogProduct.ID(rawValue: id)) else {
      return .error(404, "there is no product \(id)", parameter: "id")
    }
    return .json(product)
  }

  private mutating func search(_ target: HTTPTarget) throws(ParameterError) -> HTTPResponse {
    guard let query = try target.value(of: "q"), query.contains(where: { !$0.isWhitespace }) else {
      throw ParameterError(parameter: "q", reason: "the search text is missing")
    }
    return .json(index.hits(for: query, limit: 50))
  }
}

import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontServices

/// Maps requests to responses. Caches encoded responses to `GET` requests until data changes.
///
/// Not Sendable: only the thread of the server uses it.
struct LoopbackRoutes {
  let catalog: Catalog
  let cart: LoopbackCart
  let profile: LoopbackProfile
  let posts: LoopbackPosts
  let feed: LoopbackFeed
  let writes: LoopbackWrites
  private lazy var index = CatalogIndex(catalog)
  private var cache: [String: [UInt8]] = [:]
  /// The last published update when a response was cached.
  private var cachedUpdateID = 0

  /// The maximum number of cached responses: enough for all pages and products of a usual catalog. A full
  /// cache is cleared.
  private static let cacheLimit = 16_384

  init(
    catalog: Catalog, cart: LoopbackCart, profile: LoopbackProfile, posts: LoopbackPosts, feed: LoopbackFeed,
    writes: LoopbackWrites
  ) {
    self.catalog = catalog
    self.cart = cart
    self.profile = profile
    self.posts = posts
    self.feed = feed
    self.writes = writes
  }

  /// Begins the response to a request of the feed. Returns `nil` for every other request.
  func subscription(for request: HTTPRequest) -> LoopbackFeed.Subscription? {
    guard isFeed(request), RequestRules.refusal(of: request, type: RequestRules.events) == nil else {
      return nil
    }
    return feed.subscribe(after: request.lastEventID)
  }

  private func isFeed(_ request: HTTPRequest) -> Bool {
    request.method == "GET" && request.target == "/feed"
  }

  /// Returns the encoded response to a request, from the cache if possible.
  mutating func encodedResponse(to request: HTTPRequest) -> [UInt8] {
    let updateID = feed.state.snapshot.lastID
    if exchange(&cachedUpdateID, with: updateID) != updateID { clearCache() }
    // Each cart change would empty the cache if it contained the cart.
    let isCacheable = request.method == "GET" && request.keepsAlive && request.target != "/cart"
    if isCacheable, RequestRules.refusal(of: request, type: RequestRules.json) == nil,
      let bytes = cache[request.target]
    {
      return bytes
    }
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
    let type = isFeed(request) ? RequestRules.events : RequestRules.json
    do throws(ParameterError) {
      let target = try HTTPTarget(request.target)
      guard ["GET", "HEAD"].contains(request.method) else { return try write(request, target) }
      if let refusal = RequestRules.refusal(of: request, type: type) { return refusal }
      return try read(target)
    } catch {
      return .error(400, "\(error.parameter): \(error.reason)", parameter: error.parameter)
    }
  }

  private mutating func read(_ target: HTTPTarget) throws(ParameterError) -> HTTPResponse {
    let parameters: [String: Set<String>] = [
      "products": ["page", "size"], "search": ["q", "cursor", "size"], "posts": ["cursor", "size"],
    ]
    try target.require(only: target.path.count == 1 ? parameters[target.path[0]] ?? [] : [])
    switch target.path {
    case ["products"]: return try products(target)
    case ["search"]: return try search(target)
    case ["profile"]: return .json(profile.current)
    case ["posts"]: return try page(target) { request throws(PageError) in try posts.page(request) }
    case ["orders"]: return .json(catalog.orders)
    case ["recommendations"]: return .json(catalog.recommendations.map(feed.storedProduct))
    case ["cart"]: return cart.response(for: catalog, product: feed.storedProduct)
    case ["cart", "changes"]: return .error(405, "only POST is allowed here")
    case let path where path.count == 3 && path[0] == "posts" && path[2] == "restore":
      return .error(405, "only POST is allowed here")
    case let path where path.count == 2 && path[0] == "products": return try product(path[1])
    case let path: return .error(404, "no resource at /\(path.joined(separator: "/"))")
    }
  }

  private func products(_ target: HTTPTarget) throws(ParameterError) -> HTTPResponse {
    let index = try target.number("page", in: 0...Int.max, default: 0)
    let size = try target.number("size", in: 1...1_000, default: 20)
    return .json(
      Page(PageRequest(index: index, size: size), of: catalog.products.lazy.map(feed.storedProduct)))
  }

  private func product(_ text: String) throws(ParameterError) -> HTTPResponse {
    guard let id = Int(shortest: text) else {
      throw ParameterError(parameter: "id", reason: "expected a whole number, found \"\(text)\"")
    }
    guard let product = catalog.product(CatalogProduct.ID(rawValue: id)) else {
      return .error(404, "there is no product \(id)", parameter: "id")
    }
    return .json(feed.storedProduct(product))
  }

  private mutating func search(_ target: HTTPTarget) throws(ParameterError) -> HTTPResponse {
    guard let query = target.value(of: "q"), query.contains(where: { !$0.isWhitespace }) else {
      throw ParameterError(parameter: "q", reason: "the search text is missing")
    }
    let hits = index.hits(for: query, product: feed.storedProduct)
    return try page(target) { request throws(PageError) in
      try OffsetCursor.page(request, of: hits, list: "search/\(query)")
    }
  }

  /// The requested page of a list that is paged by cursor.
  private func page<Item: Encodable>(
    _ target: HTTPTarget, _ load: (PageRequest) throws(PageError) -> Page<Item>
  ) throws(ParameterError) -> HTTPResponse {
    let size = try target.number("size", in: 1...1_000, default: 50)
    let cursor = target.value(of: "cursor")
    if cursor == "" { throw ParameterError(parameter: "cursor", reason: "the cursor is empty") }
    let request = PageRequest(
      at: cursor.map { .cursor(PageCursor(rawValue: $0)) } ?? .start, size: size)
    do {
      return .json(try load(request))
    } catch {
      return .error(410, "the cursor has expired", parameter: "cursor")
    }
  }
}

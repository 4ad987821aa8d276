import Foundation
import StorefrontDomain

/// What an origin answers to which request. Answers that cannot change are encoded once, and kept.
///
/// Not Sendable: it belongs to the origin's thread.
struct LoopbackRoutes {
  let catalog: Catalog
  let cart: LoopbackCart
  let profile: LoopbackProfile
  let posts: LoopbackPosts
  private lazy var index = CatalogIndex(catalog)
  private var kept: [String: [UInt8]] = [:]

  /// How many encoded answers are kept: every page and product of a usual catalogue. Past that it begins anew.
  private static let keptLimit = 16_384

  init(catalog: Catalog, cart: LoopbackCart, profile: LoopbackProfile, posts: LoopbackPosts) {
    self.catalog = catalog
    self.cart = cart
    self.profile = profile
    self.posts = posts
  }

  /// The answer as it stands on the wire.
  mutating func answer(to request: HTTPRequest) -> [UInt8] {
    let isKeepable = request.method == "GET" && request.keepsAlive
    if isKeepable, let answer = kept[request.target] { return answer }
    let response = response(to: request)
    let answer = response.encoded(keepsAlive: request.keepsAlive, withBody: request.method != "HEAD")
    if isKeepable, response.status == 200 {
      if kept.count >= Self.keptLimit { kept.removeAll(keepingCapacity: true) }
      kept[request.target] = answer
    }
    return answer
  }

  /// To be called by whatever changes what can be read.
  mutating func forgetAnswers() { kept.removeAll(keepingCapacity: true) }

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
    case let path: return .error(404, "there is nothing at /\(path.joined(separator: "/"))")
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
    guard let product = catalog.product(Product.ID(rawValue: id)) else {
      return .error(404, "there is no product \(id)", parameter: "id")
    }
    return .json(product)
  }

  private mutating func search(_ target: HTTPTarget) throws(ParameterError) -> HTTPResponse {
    guard let query = try target.value(of: "q"), query.contains(where: { !$0.isWhitespace }) else {
      throw ParameterError(parameter: "q", reason: "a text to search for is missing")
    }
    return .json(index.hits(for: query, limit: 50))
  }
}

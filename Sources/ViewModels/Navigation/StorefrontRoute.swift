public import AsyncViewModels
public import StorefrontDomain

/// The route to a screen of the storefront, from which the app creates the view model.
public enum StorefrontRoute: Hashable, Codable, Sendable {
  /// The list of products.
  case products
  /// The screen of one product.
  case product(CatalogProduct.ID, source: DetailSource)
  /// The cart.
  case cart
  /// The orders of the user.
  case orders
  /// The profile of the user.
  case profile
  /// The list of posts.
  case posts
  /// The screen of one post.
  case post(Post.ID)

  /// Creates the route that the posts screen requests.
  public init(_ route: PostsRoute) {
    switch route {
    case .post(let id): self = .post(id)
    }
  }
}

extension DeepLinkParser where Route == StorefrontRoute {
  /// The parser of links such as `storefront://shop/products/7`, which opens the list and the
  /// product.
  public static var storefront: DeepLinkParser {
    DeepLinkParser(scheme: "storefront", host: "shop") { components throws(DeepLinkParserError) in
      var rest = ArraySlice(components)
      let routes: [StorefrontRoute]
      switch rest.popFirst() {
      case nil: routes = []
      case "products": routes = [.products] + (try product(rest.popFirst()))
      case "posts": routes = [.posts] + (try post(rest.popFirst()))
      case "cart": routes = [.cart]
      case "orders": routes = [.orders]
      case "profile": routes = [.profile]
      case let other?: throw .component(other)
      }
      if let surplus = rest.first { throw .component(surplus) }
      return routes
    }
  }

  private static func product(_ component: String?) throws(DeepLinkParserError) -> [StorefrontRoute] {
    guard let id = try number(component, of: "product") else { return [] }
    return [.product(CatalogProduct.ID(rawValue: id), source: .link)]
  }

  private static func post(_ component: String?) throws(DeepLinkParserError) -> [StorefrontRoute] {
    guard let id = try number(component, of: "post") else { return [] }
    return [.post(Post.ID(rawValue: id))]
  }

  /// Returns the number in a component, or `nil` if there is no component.
  private static func number(_ component: String?, of what: String) throws(DeepLinkParserError) -> Int? {
    guard let component else { return nil }
    // `Int` also accepts a plus sign and leading zeros.
    guard let number = Int(component), number > 0, "\(number)" == component else {
      throw .id(component, of: what)
    }
    return number
  }
}

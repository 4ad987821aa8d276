public import AsyncViewModels
public import StorefrontDomain

/// The screens of the storefront, in primitives: whoever shows one makes its view model from them.
public enum StorefrontRoute: Hashable, Codable, Sendable {
  case products
  case product(Product.ID, source: DetailSource)
  case cart
  case orders
  case profile
  case posts
  case post(Post.ID)

  /// The screen to which the posts' screen asks to go.
  public init(_ route: PostsRoute) {
    switch route {
    case .post(let id): self = .post(id)
    }
  }
}

extension DeepLinkParser where Route == StorefrontRoute {
  /// The links of the storefront: `storefront://shop/products/7`, and so on; what has an id stands
  /// above the list of its kind.
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
    return [.product(Product.ID(rawValue: id), source: .link)]
  }

  private static func post(_ component: String?) throws(DeepLinkParserError) -> [StorefrontRoute] {
    guard let id = try number(component, of: "post") else { return [] }
    return [.post(Post.ID(rawValue: id))]
  }

  /// Nil where there is no component.
  private static func number(_ component: String?, of what: String) throws(DeepLinkParserError) -> Int? {
    guard let component else { return nil }
    guard let number = Int(component), number > 0 else { throw .id(component, of: what) }
    return number
  }
}

package import AsyncViewModelsUI
import StorefrontDomain
package import StorefrontViewModels

extension DeepLinkParser where Route == StorefrontRoute {
  /// The parser of links such as `storefront://shop/products/7`, which opens the product above the
  /// list of products, the root.
  package static var storefront: DeepLinkParser<StorefrontRoute> {
    DeepLinkParser(scheme: "storefront", host: "shop") { components, tree throws(DeepLinkParserError) in
      var rest = ArraySlice(components)
      let routes: [StorefrontRoute]
      switch rest.popFirst() {
      case nil: routes = []
      case "products": routes = try product(rest.popFirst())
      case "posts": routes = [.posts] + (try post(rest.popFirst()))
      case "cart": routes = [.cart]
      case "orders": routes = [.orders]
      case "profile": routes = [.profile]
      case let other?: throw .component(other)
      }
      if let surplus = rest.first { throw .component(surplus) }
      tree.front = RoutePath(routes)
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

extension NavigationModel where Route == StorefrontRoute {
  /// A model at the list of products.
  package static func storefront() -> NavigationModel {
    NavigationModel(NavigationTree(root: .products), links: .storefront)
  }
}

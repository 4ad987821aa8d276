package import AsyncViewModelsUI

/// The routes of a small app.
package enum TestRoute: Hashable, Codable, Sendable {
  case home
  case products
  case product(Int)
  case cart, orders, profile
}

extension DeepLinkParser where Route == TestRoute {
  /// Parses links such as `test://app/products/7`, which leads to a product above the list of products.
  package static var test: DeepLinkParser {
    DeepLinkParser(scheme: "test", host: "app") { components, tree throws(DeepLinkParserError) in
      switch components.first {
      case nil: tree.front.popToRoot()
      case "cart": tree.front = RoutePath([.cart])
      case "products":
        var path = RoutePath([TestRoute.products])
        if components.count > 1 {
          guard let id = Int(components[1]) else { throw .id(components[1], of: "product") }
          path.push(.product(id))
        }
        tree.front = path
      case let other?: throw .component(other)
      }
    }
  }
}

extension NavigationModel where Route == TestRoute {
  /// A model with these routes above the root.
  package convenience init(_ routes: [TestRoute] = []) {
    self.init(NavigationTree(root: .home, path: RoutePath(routes)), links: .test)
  }
}

package import AsyncViewModelsUI

/// The routes of a small app.
package enum TestRoute: Hashable, Codable, Sendable {
  case products
  case product(Int)
  case cart, orders, profile
}

extension DeepLinkParser where Route == TestRoute {
  /// Parses links such as `test://app/products/7`, which leads to a product above the list of products.
  package static var test: DeepLinkParser {
    DeepLinkParser(scheme: "test", host: "app") { components throws(DeepLinkParserError) in
      switch components.first {
      case nil: return []
      case "cart": return [.cart]
      case "products":
        guard components.count > 1 else { return [.products] }
        guard let id = Int(components[1]) else { throw .id(components[1], of: "product") }
        return [.products, .product(id)]
      case let other?: throw .component(other)
      }
    }
  }
}

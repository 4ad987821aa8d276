import AsyncViewModelsTesting
public import StorefrontDomain

/// The data of a ``LoopbackHTTPServer``: products, a profile, orders, recommendations and posts.
///
/// Two catalogs that ``seeded(_:count:)`` creates with the same seed and count are equal, on every platform.
public struct Catalog: Sendable, Equatable {
  /// The products, each with a unique id, in the order of the pages.
  public let products: [CatalogProduct]
  /// The profile of the signed-in user, before any change.
  public let profile: Profile
  /// The orders, newest first.
  public let orders: [Order]
  /// The recommended products, best first.
  public let recommendations: [CatalogProduct]
  /// The posts, newest first.
  public let posts: [Post]

  private let positions: [CatalogProduct.ID: Int]

  /// Creates a catalog of these products. All other data is generated from the products and the seed.
  ///
  /// - Complexity: O(n).
  /// - Precondition: no two products have the same id.
  public init(products: [CatalogProduct], seed: UInt64 = 1) {
    self.products = products
    var positions: [CatalogProduct.ID: Int] = [:]
    for (position, product) in products.enumerated() {
      precondition(
        positions.updateValue(position, forKey: product.id) == nil, "product \(product.id) appears twice")
    }
    self.positions = positions
    var generator = SplitMix64(seed: seed &+ 1)
    profile = .seeded(by: &generator)
    recommendations = products.isEmpty ? [] : Self.recommendations(among: products, by: &generator)
    orders = products.isEmpty ? [] : Self.orders(of: products, by: &generator)
    posts = Self.posts(by: &generator)
  }

  /// The product with this id, or nil.
  ///
  /// - Complexity: O(1).
  public func product(_ id: CatalogProduct.ID) -> CatalogProduct? {
    positions[id].map { products[$0] }
  }
}

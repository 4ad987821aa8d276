import AsyncViewModelsTesting
public import StorefrontDomain

/// What an ``LoopbackHTTPServer`` sells, and to whom: products, a profile, orders, recommendations and posts.
///
/// A value; two catalogues made from the same seed and count are equal, on every platform.
public struct Catalog: Sendable, Equatable {
  /// The products, each with an id of its own, in the order in which they are paged.
  public let products: [Product]
  public let profile: Profile
  /// The newest first.
  public let orders: [Order]
  /// The best first.
  public let recommendations: [Product]

  /// The newest first.
  public let posts: [Post]

  private let positions: [Product.ID: Int]

  /// A catalogue of these products; `seed` decides over everything else. O(n).
  ///
  /// - Precondition: no two products have the same id.
  public init(products: [Product], seed: UInt64 = 1) {
    self.products = products
    var positions: [Product.ID: Int] = [:]
    for (position, product) in products.enumerated() {
      precondition(
        positions.updateValue(position, forKey: product.id) == nil, "product \(product.id) is there twice")
    }
    self.positions = positions
    var generator = SplitMix64(seed: seed &+ 1)
    profile = .seeded(by: &generator)
    recommendations = products.isEmpty ? [] : Self.recommendations(among: products, by: &generator)
    orders = products.isEmpty ? [] : Self.orders(of: products, by: &generator)
    posts = Self.posts(by: &generator)
  }

  /// The product with this id. O(1).
  public func product(_ id: Product.ID) -> Product? {
    positions[id].map { products[$0] }
  }
}

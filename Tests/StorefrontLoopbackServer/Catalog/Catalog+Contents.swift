public import StorefrontServices

extension Catalog {
  /// The same for a storefront in memory.
  public var contents: StorefrontContents {
    StorefrontContents(
      products: products, profile: profile, orders: orders, recommendations: recommendations, posts: posts)
  }
}

public import StorefrontServices

extension Catalog {
  /// The same data for an in-memory storefront.
  public var contents: StorefrontContents {
    StorefrontContents(
      products: products, profile: profile, orders: orders, recommendations: recommendations, posts: posts)
  }
}

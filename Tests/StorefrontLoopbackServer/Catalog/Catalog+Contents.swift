public import StorefrontServices

extension Catalog {
  /// The data of this catalog, for an in-memory storefront.
  public var contents: StorefrontContents {
    StorefrontContents(
      products: products, profile: profile, orders: orders, recommendations: recommendations, posts: posts)
  }
}

public import StorefrontDomain

/// What a storefront in memory has to offer.
public struct StorefrontContents: Sendable, Equatable {
  public var products: [Product]
  public var profile: Profile
  public var orders: [Order]
  public var recommendations: [Product]
  /// The newest first.
  public var posts: [Post]

  public init(
    products: [Product] = [],
    profile: Profile = Profile(id: 1, name: "Ada Berg", email: "ada.berg@example.com"),
    orders: [Order] = [], recommendations: [Product] = [], posts: [Post] = []
  ) {
    self.products = products
    self.profile = profile
    self.orders = orders
    self.recommendations = recommendations
    self.posts = posts
  }

  /// The product with this id. O(products).
  ///
  /// - Throws: ``ServiceError/notFound(_:)``, which names it.
  public func product(_ id: Product.ID) throws(ServiceError) -> Product {
    guard let product = products.first(where: { $0.id == id }) else { throw .notFound("product \(id)") }
    return product
  }

  /// The first 50 products whose names contain the query, whatever the case. O(length of all names).
  func hits(for query: String) -> [SearchHit] {
    let query = query.lowercased()
    return products.lazy.filter { $0.name.lowercased().contains(query) }.prefix(50).map {
      SearchHit(id: $0.id, title: $0.name, detail: "\($0.price)")
    }
  }
}

public import StorefrontDomain

/// The data of an in-memory storefront, before any change.
public struct StorefrontContents: Sendable, Equatable {
  /// All products, in the order of the pages.
  public var products: [CatalogProduct]
  /// The profile of the signed-in user, before any save.
  public var profile: Profile
  /// The shopper's orders, newest first.
  public var orders: [Order]
  /// The recommended products, best first.
  public var recommendations: [CatalogProduct]
  /// All posts, newest first, including those that are deleted later.
  public var posts: [Post]

  /// Creates the data.
  public init(
    products: [CatalogProduct] = [],
    profile: Profile = Profile(id: 1, name: "Ada Berg", email: "ada.berg@example.com"),
    orders: [Order] = [], recommendations: [CatalogProduct] = [], posts: [Post] = []
  ) {
    self.products = products
    self.profile = profile
    self.orders = orders
    self.recommendations = recommendations
    self.posts = posts
  }

  /// The product with this id.
  ///
  /// - Throws: ``/StorefrontDomain/ServiceError/notFound(_:)``, which names the product.
  public func product(_ id: CatalogProduct.ID) throws(ServiceError) -> CatalogProduct {
    guard let product = products.first(where: { $0.id == id }) else { throw .notFound("product \(id)") }
    return product
  }

  func page(_ request: PageRequest) throws(PageError) -> Page<CatalogProduct> {
    guard request.index != nil else { throw .unsupported(request.position) }
    return Page(request, of: products)
  }

  func hits(for query: String) -> [SearchHit] {
    let query = query.lowercased()
    return products.filter { $0.name.lowercased().contains(query) }.map {
      SearchHit(id: $0.id, title: $0.name, detail: "\($0.price)")
    }
  }
}

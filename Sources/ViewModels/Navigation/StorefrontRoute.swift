public import StorefrontDomain

/// The route to a screen of the storefront, from which the app creates the view model.
public enum StorefrontRoute: Hashable, Codable, Sendable {
  /// The list of products.
  case products
  /// The screen of one product.
  case product(CatalogProduct.ID, source: DetailSource)
  /// The search for products.
  case search
  /// The cart.
  case cart
  /// The question for the quantity of a product in the cart.
  case quantity(of: CatalogProduct.ID)
  /// The orders of the user.
  case orders
  /// The profile of the user.
  case profile
  /// The list of posts.
  case posts
  /// The screen of one post.
  case post(Post.ID)

  /// Creates the route that the posts screen requests.
  public init(_ route: PostsRoute) {
    switch route {
    case .post(let id): self = .post(id)
    }
  }
}

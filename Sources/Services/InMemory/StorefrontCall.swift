public import StorefrontDomain

/// One call of an in-memory service, with its arguments.
public enum StorefrontCall: Sendable, Equatable {
  /// Requests a page of the products.
  case page(PageRequest)
  /// Requests one product.
  case product(CatalogProduct.ID)
  /// Requests a page of the hits of a search.
  case search(String, PageRequest)
  /// Requests the cart.
  case cart
  /// Changes the cart.
  case change(CartChange)
  /// Requests the profile.
  case profile
  /// Saves a draft of the profile, based on a version.
  case saveProfile(Profile.Draft, basedOn: Int)
  /// Requests the posts.
  case posts
  /// Deletes a post.
  case deletePost(Post.ID)
  /// Restores a deleted post.
  case restorePost(Post.ID)
  /// Requests the orders.
  case orders
  /// Requests the recommended products.
  case recommendations

  /// The operation without its arguments.
  public var endpoint: StorefrontEndpoint {
    switch self {
    case .page: .page
    case .product: .product
    case .search: .search
    case .cart: .cart
    case .change: .cartChange
    case .profile: .profile
    case .saveProfile: .profileSaving
    case .posts: .posts
    case .deletePost: .postDeletion
    case .restorePost: .postRestoration
    case .orders: .orders
    case .recommendations: .recommendations
    }
  }
}

/// One operation of the storefront services.
public enum StorefrontEndpoint: Sendable, Hashable, CaseIterable {
  /// Requests a page of the products.
  case page
  /// Requests one product.
  case product
  /// Requests a page of the hits of a search.
  case search
  /// Requests the cart.
  case cart
  /// Changes the cart.
  case cartChange
  /// Requests the profile.
  case profile
  /// Saves the profile.
  case profileSaving
  /// Requests the posts.
  case posts
  /// Deletes a post.
  case postDeletion
  /// Restores a deleted post.
  case postRestoration
  /// Requests the orders.
  case orders
  /// Requests the recommended products.
  case recommendations
}

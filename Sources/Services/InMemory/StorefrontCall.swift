public import StorefrontDomain

/// One call of a storefront in memory, with what it was asked for.
public enum StorefrontCall: Sendable, Equatable {
  case page(PageRequest)
  case product(Product.ID)
  case search(String)
  case change(CartChange)
  case profile
  case saveProfile(Profile.Draft, basedOn: Int)
  case posts
  case deletePost(Post.ID)
  case orders
  case recommendations

  public var endpoint: StorefrontEndpoint {
    switch self {
    case .page: .page
    case .product: .product
    case .search: .search
    case .change: .cart
    case .profile: .profile
    case .saveProfile: .profileSaving
    case .posts: .posts
    case .deletePost: .postDeletion
    case .orders: .orders
    case .recommendations: .recommendations
    }
  }
}

public import Domain

/// One call of a storefront in memory, with what it was asked for.
public enum StorefrontCall: Sendable, Equatable {
  case page(PageRequest)
  case search(String)
  case change(CartChange)
  case profile
  case orders
  case recommendations

  public var endpoint: StorefrontEndpoint {
    switch self {
    case .page: .page
    case .search: .search
    case .change: .cart
    case .profile: .profile
    case .orders: .orders
    case .recommendations: .recommendations
    }
  }
}

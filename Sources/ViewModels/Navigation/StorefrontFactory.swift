public import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// The services of the storefront. `HTTPStorefront` and `InMemoryStorefront` provide all of them.
public typealias StorefrontService = PageService<CatalogProduct> & DetailService<CatalogProduct> & CartService
  & OrderService & RecommendationService & ProfileEditingService & PostService

/// Makes the view models for the routes of the storefront, and shares them between screens.
///
/// ```swift
/// stack.follow(navigation) { [factory] route in
///   switch factory.screen(for: route) {
///   case .product(let lease): ProductScreen(lease)
///   …
///   }
/// }
/// ```
///
/// All screens share one cart. All other view models are leased: a screen that is opened again soon
/// needs no request. Screens of one product that were opened from the same source share a view
/// model. To migrate one view model at a time, make each here in its current stage.
///
/// - Isolation: The main actor, because screens are made there.
/// - Sign-out: A factory belongs to one user. See ``close()``.
/// - Ownership: The factory retains the cart, and unused view models for `retention`.
@MainActor
public final class StorefrontFactory {
  private struct ProductKey: Hashable {
    let id: CatalogProduct.ID
    let source: DetailSource
  }

  private enum Single: Hashable { case model }

  /// The cart of the app.
  public let cart: CartViewModel
  private let lists: ViewModelStore<Single, ListViewModel<CatalogProduct>>
  private let products: ViewModelStore<ProductKey, ProductPageViewModel>
  private let dashboards: ViewModelStore<Single, DashboardViewModel>
  private let profiles: ViewModelStore<Single, ProfileViewModel>
  private let posts: ViewModelStore<Single, PostsViewModel>

  /// Creates a factory, and no view model except the cart's.
  ///
  /// - Parameters:
  ///   - service: The services of all view models.
  ///   - cart: The restored cart.
  ///   - feed: Reports prices and stocks to the list and to the products.
  ///   - notifications: Posts changes of the account, after which the dashboard loads again.
  ///   - retention: How long a view model without a screen is kept.
  ///   - clock: Measures the retention.
  ///   - makeIsolation: Makes the host of each view model.
  public init(
    service: any StorefrontService, cart: CartViewModel, feed: any ProductFeed,
    notifications: any NotificationSource = NotificationCenter.default,
    retention: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock(),
    makeIsolation: @escaping @Sendable () -> any Actor = { Isolation() }
  ) {
    func store<Identity, Model>(
      _ make: @escaping @Sendable (Identity, any Actor) -> Model
    ) -> ViewModelStore<Identity, Model> {
      ViewModelStore(retention: retention, clock: clock, isolation: MainActor.shared) {
        make($0, makeIsolation())
      }
    }
    self.cart = cart
    lists = store { ListViewModel(service: service, feed: feed, isolation: $1) }
    products = store {
      ProductPageViewModel(
        itemID: $0.id, source: $0.source, service: service, feed: feed, cart: cart, isolation: $1)
    }
    dashboards = store {
      DashboardViewModel(
        profile: service, orders: service, recommendations: service,
        reloadingAfter: .storefrontAccountDidChange, from: notifications, isolation: $1)
    }
    profiles = store { ProfileViewModel(service: service, isolation: $1) }
    posts = store { PostsViewModel(service: service, isolation: $1) }
  }

  /// Returns the view models for the screen of a route, which keeps them. Call it once per screen.
  public func screen(for route: StorefrontRoute) -> StorefrontScreen {
    switch route {
    case .products: .products(lists.assumeIsolated { $0.lease(.model) })
    case .product(let id, let source):
      .product(products.assumeIsolated { $0.lease(ProductKey(id: id, source: source)) })
    case .cart: .cart(cart)
    case .orders: .orders(dashboards.assumeIsolated { $0.lease(.model) })
    case .profile: .profile(profiles.assumeIsolated { $0.lease(.model) })
    case .posts: .posts(posts.assumeIsolated { $0.lease(.model) })
    case .post(let id): .post(id, posts.assumeIsolated { $0.lease(.model) })
    }
  }

  /// Closes the cart, the profile and the posts for good. Call this method when the user signs out.
  ///
  /// Then remove the contents of the cart's storage, and make a new factory for the next user.
  public func close() async {
    await posts.current(.model)?.hold { await $0.close() }
    await profiles.current(.model)?.hold { await $0.close() }
    await cart.close()
  }
}

/// The view models of a screen, which keeps this value while it uses them.
public enum StorefrontScreen: Sendable {
  /// The list of products.
  case products(ViewModelLease<ListViewModel<CatalogProduct>>)
  /// The page of one product.
  case product(ViewModelLease<ProductPageViewModel>)
  /// The cart.
  case cart(CartViewModel)
  /// The orders of the user, on the dashboard.
  case orders(ViewModelLease<DashboardViewModel>)
  /// The profile of the user.
  case profile(ViewModelLease<ProfileViewModel>)
  /// The list of posts.
  case posts(ViewModelLease<PostsViewModel>)
  /// The screen of one post. It loads next pages of the list until it finds the post.
  case post(Post.ID, ViewModelLease<PostsViewModel>)
}

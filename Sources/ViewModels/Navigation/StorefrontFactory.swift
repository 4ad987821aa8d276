public import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// The services that the screens of the storefront need. `HTTPStorefront` and `InMemoryStorefront` implement all of them.
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
/// There is one cart: a change that one screen makes is shown by every other screen. All other view models are leased: a screen that
/// is opened again soon needs no request. Two screens of one product share a view model if they were opened from the same source. A
/// product that is opened from another source, for example from a link, has another view model.
///
/// A team that migrates one view model at a time makes each view model in this type in the stage that it has reached.
///
/// - Isolation: The main actor, because screens are made there. The view models run on their own actors.
/// - Sign-out: A factory belongs to one user. See ``close()``.
/// - Ownership: The factory keeps the cart. A screen keeps its lease, and the factory keeps a view model without a lease for the
///   time of `retention`.
@MainActor
public final class StorefrontFactory {
  private struct ProductKey: Hashable {
    let id: CatalogProduct.ID
    let source: DetailSource
  }

  /// The identity of a view model of which there is one.
  private enum Single: Hashable { case model }

  /// The cart of the app.
  public let cart: CartViewModel
  private let lists: ViewModelStore<Single, ListViewModel<CatalogProduct>>
  private let products: ViewModelStore<ProductKey, ProductPageViewModel>
  private let dashboards: ViewModelStore<Single, DashboardViewModel>
  private let profiles: ViewModelStore<Single, ProfileViewModel>
  private let posts: ViewModelStore<Single, PostsViewModel>

  /// Creates a factory. It makes no view model except the cart's.
  ///
  /// - Parameters:
  ///   - service: The services of all view models.
  ///   - cart: The cart of the app, which the app has restored.
  ///   - feed: Reports prices and stocks to the list and to the products.
  ///   - notifications: Posts ``/Foundation/NSNotification/Name/storefrontAccountDidChange``, after which the dashboard loads again.
  ///   - retention: The time for which a view model without a screen is kept.
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

  /// Returns the view models for the screen of a route.
  ///
  /// Each call leases. So call it once for each screen, and let the screen keep the result.
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

  /// Closes the cart, the profile and the posts for good, so that they store and send nothing more for their user.
  ///
  /// Call this method when the user signs out. Remove the contents of the cart's storage after the call has returned, and make a
  /// new factory for the next user.
  public func close() async {
    await posts.current(.model)?.hold { await $0.close() }
    await profiles.current(.model)?.hold { await $0.close() }
    await cart.close()
  }
}

/// The view models for the screen of a ``StorefrontRoute``. The screen keeps this value as long as it uses a view model.
public enum StorefrontScreen: Sendable {
  /// The list of products.
  case products(ViewModelLease<ListViewModel<CatalogProduct>>)
  /// The page of one product, which shows what the cart of all screens has of it.
  case product(ViewModelLease<ProductPageViewModel>)
  /// The cart.
  case cart(CartViewModel)
  /// The orders of the user, on the dashboard.
  case orders(ViewModelLease<DashboardViewModel>)
  /// The profile of the user.
  case profile(ViewModelLease<ProfileViewModel>)
  /// The list of posts.
  case posts(ViewModelLease<PostsViewModel>)
  /// The screen of one post. It shares the view model of the list. If the post is on a later page, the screen loads next pages.
  case post(Post.ID, ViewModelLease<PostsViewModel>)
}

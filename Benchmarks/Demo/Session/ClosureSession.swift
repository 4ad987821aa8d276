import AsyncViewModelsGCD
import AsyncViewModelsUI
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels

/// The closure stage: one binding for each view model, and completion handlers that are called on
/// the main queue.
@MainActor
final class ClosureSession: StorefrontSession {
  private let output: SessionOutput
  private let services: HTTPClosureStorefront
  private let list: ProductListClosureViewModel
  private let search: ProductSearchClosureViewModel
  private let cart: CartClosureViewModel
  /// The observer of the cart, which passes its states on to the cart's screen and to the product's
  /// page.
  private let sharedCart: CartRelay
  private let dashboard: DashboardClosureViewModel
  private let profile: ProfileClosureViewModel
  private let posts: PostsClosureViewModel
  private var page: ProductPageClosureViewModel?

  init(server: URL, output: SessionOutput) throws {
    self.output = output
    services = try HTTPClosureStorefront(baseURL: server, options: .demo)
    list = ProductListClosureViewModel(service: services, feed: services, pageSize: StorefrontStates.pageSize)
    search = SearchClosureViewModel(service: services, pageSize: StorefrontStates.hitsPageSize)
    cart = CartClosureViewModel(service: services, feed: services)
    sharedCart = CartRelay(cart)
    dashboard = DashboardClosureViewModel(profile: services, orders: services, recommendations: services)
    profile = ProfileClosureViewModel(service: services)
    posts = PostsClosureViewModel(service: services, pageSize: StorefrontStates.postsPageSize)
    let viewModels: [any AnyObject & Sendable] = [list, search, cart, dashboard, profile, posts]
    viewModels.forEach(output.meter.watch)
  }

  func bind(_ screen: Screen, in bindings: ScreenBindings) {
    switch screen {
    case .list:
      list.bind(output.receiver(of: \.list)).store(in: bindings)
      list.load()
    case .search: observeSearch(for: .first, in: bindings)
    case .cart:
      sharedCart.observe(on: .main, output.receiver(of: \.cart)).store(in: bindings)
      cart.load()
    case .dashboard:
      dashboard.bind(output.receiver(of: \.dashboard)).store(in: bindings)
      dashboard.load()
    case .profile:
      profile.bind(output.receiver(of: \.profile)).store(in: bindings)
      profile.load()
    case .posts:
      posts.bind(output.receiver(of: \.posts)).store(in: bindings)
      posts.bindEvents(output.receiver { $0.receive($1) }).store(in: bindings)
      posts.load()
    case .detail, .quantity: break
    }
  }

  func observeSearch(for observer: SearchObserver, in bindings: ScreenBindings) {
    // A second `bind` replaces the observer of the first one for good.
    output.isFirstScreenReplaced = observer == .second
    search.bind(output.receiver { $0.draw($1, on: observer) }).store(in: bindings)
  }

  /// A completion handler that reports a failure. Called on the main queue.
  private var reporting: @Sendable (Result<Void, any Error>) -> Void {
    { [weak output] result in MainActor.assumeIsolated { output?.report(result) } }
  }

  var searchState: SearchState<SearchHit> { search.state }
  var profileState: ProfileState { profile.state }

  func reload(_ screen: Screen) {
    switch screen {
    case .list: if list.state.nextPageFailure != nil { list.retry() } else { list.refresh() }
    case .search: if search.state.nextPageFailure != nil { search.retry() } else { search.submit() }
    case .cart, .quantity: cart.load()
    case .dashboard: dashboard.refresh()
    case .detail: page?.refresh()
    case .profile: profile.refresh()
    case .posts: if posts.state.nextPageFailure != nil { posts.retry() } else { posts.refresh() }
    }
  }

  func loadNextPage() { list.loadNextPage() }
  func loadNextPosts() { posts.loadNextPage() }
  func search(for query: String) { search.setQuery(query) }
  func submitSearch() { search.submit() }
  func loadNextHits() { search.loadNextPage() }

  func open(_ id: CatalogProduct.ID, from source: DetailSource, in bindings: ScreenBindings) {
    let page = ProductPageClosureViewModel(
      itemID: id, source: source, service: services, feed: services, cart: sharedCart)
    output.meter.watch(page)
    output.states.page = page.state
    page.bind(output.receiver { $0.states.page = $1 }).store(in: bindings)
    page.load()
    self.page = page
  }

  func closePage() { (page, output.states.page) = (nil, nil) }

  func addOpenProduct() { page?.add(completion: reporting) }
  func add(_ product: CatalogProduct) { cart.add(product, completion: reporting) }

  func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) {
    cart.setQuantity(quantity, of: id, completion: reporting)
  }

  func edit(_ field: ProfileField, to text: String) {
    output.report(Result { try profile.edit(field, to: text) })
  }

  func saveProfile() { profile.save(completion: reporting) }
  func resolve(_ choice: ProfileConflictChoice) { profile.resolve(choice, completion: reporting) }
  func select(_ id: Post.ID) { output.report(Result { try posts.select(id) }) }
  func delete(_ id: Post.ID) { posts.delete(id) }
  func perform(_ action: PostsAction) { posts.perform(action) }
}

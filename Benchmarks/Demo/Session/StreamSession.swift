import AsyncViewModelsUI
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels

/// The stream stage: the intents of the closure stage, and one stream of states for each view
/// model.
@MainActor
final class StreamSession: StorefrontSession {
  private let output: SessionOutput
  private let services: HTTPClosureStorefront
  private let list: ProductListStreamViewModel
  private let search: ProductSearchStreamViewModel
  private let cart: CartStreamViewModel
  private let dashboard: DashboardStreamViewModel
  private let profile: ProfileStreamViewModel
  private let posts: PostsStreamViewModel
  private var page: ProductPageStreamViewModel?

  init(server: URL, output: SessionOutput) throws {
    self.output = output
    services = try HTTPClosureStorefront(baseURL: server, options: .demo)
    list = ProductListStreamViewModel(service: services, feed: services, pageSize: StorefrontStates.pageSize)
    search = SearchStreamViewModel(service: services, pageSize: StorefrontStates.hitsPageSize)
    cart = CartStreamViewModel(service: services, feed: services)
    dashboard = DashboardStreamViewModel(profile: services, orders: services, recommendations: services)
    profile = ProfileStreamViewModel(service: services)
    posts = PostsStreamViewModel(service: services, pageSize: StorefrontStates.postsPageSize)
    let viewModels: [any AnyObject & Sendable] = [list, search, cart, dashboard, profile, posts]
    viewModels.forEach(output.meter.watch)
  }

  func bind(_ screen: Screen, in bindings: ScreenBindings) {
    switch screen {
    case .list:
      output.follow(list.states(), as: \.list, in: bindings)
      list.load()
    case .search: observeSearch(for: .first, in: bindings)
    case .cart:
      output.follow(cart.states(), as: \.cart, in: bindings)
      cart.load()
    case .dashboard:
      output.follow(dashboard.states(), as: \.dashboard, in: bindings)
      dashboard.load()
    case .profile:
      output.follow(profile.states(), as: \.profile, in: bindings)
      profile.load()
    case .posts:
      output.follow(posts.states(), as: \.posts, in: bindings)
      output.follow(posts.events(), in: bindings) { $0.receive($1) }
      posts.load()
    case .detail, .quantity: break
    }
  }

  func observeSearch(for observer: SearchObserver, in bindings: ScreenBindings) {
    output.follow(search.states(), in: bindings) { $0.draw($1, on: observer) }
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
    let page = ProductPageStreamViewModel(
      itemID: id, source: source, service: services, feed: services, cart: cart)
    output.meter.watch(page)
    output.states.page = page.state
    output.follow(page.states(), in: bindings) { $0.states.page = $1 }
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

import AsyncViewModels
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels

/// The stream stage: the intents of the closure stage, and one stream of states for each view model.
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
  private var bindings: [CancellationToken] = []
  private var pageBinding: CancellationToken?

  init(server: URL, output: SessionOutput) throws {
    self.output = output
    services = try HTTPClosureStorefront(baseURL: server, options: .demo)
    list = ListStreamViewModel(service: services, feed: services, pageSize: StorefrontStates.pageSize)
    search = SearchStreamViewModel(service: services, pageSize: StorefrontStates.hitsPageSize)
    cart = CartStreamViewModel(service: services, feed: services)
    dashboard = DashboardStreamViewModel(profile: services, orders: services, recommendations: services)
    profile = ProfileStreamViewModel(service: services)
    posts = PostsStreamViewModel(service: services, pageSize: StorefrontStates.postsPageSize)
    let viewModels: [any AnyObject & Sendable] = [list, search, cart, dashboard, profile, posts]
    viewModels.forEach(output.meter.watch)
    bindings = [
      output.follow(list.states(), as: \.list), output.follow(search.states(), as: \.search),
      output.follow(cart.states(), as: \.cart), output.follow(dashboard.states(), as: \.dashboard),
      output.follow(profile.states(), as: \.profile), output.follow(posts.states(), as: \.posts),
      output.follow(posts.events()) { $0.receive($1) },
    ]
    list.load()
    cart.load()
    dashboard.load()
    profile.load()
    posts.load()
  }

  /// A completion handler that reports a failure.
  private var reporting: @Sendable (Result<Void, any Error>) -> Void {
    { [weak output] result in MainActor.assumeIsolated { output?.report(result) } }
  }

  var searchState: SearchState<SearchHit> { search.state }
  var profileState: ProfileState { profile.state }

  func reload(_ screen: Screen) {
    switch screen {
    case .list: if list.state.nextPageFailure != nil { list.retry() } else { list.refresh() }
    case .search: if search.state.nextPageFailure != nil { search.retry() } else { search.submit() }
    case .cart: cart.load()
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

  func open(_ id: CatalogProduct.ID, from source: DetailSource) {
    let page = ProductPageStreamViewModel(
      itemID: id, source: source, service: services, feed: services, cart: cart)
    output.meter.watch(page)
    output.states.page = page.state
    pageBinding = output.follow(page.states()) { $0.states.page = $1 }
    page.load()
    self.page = page
  }

  func closeDetail() {
    (page, pageBinding) = (nil, nil)
    output.states.page = nil
  }

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

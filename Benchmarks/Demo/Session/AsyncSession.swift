import AsyncViewModelsUI
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels

/// The async stage: actors that run on the main actor, one stream of states for each, and tasks
/// that call their intents.
@MainActor
final class AsyncSession: StorefrontSession {
  private let output: SessionOutput
  private let services: HTTPStorefront
  private let list: ProductListViewModel
  private let search: ProductSearchViewModel
  private let cart: CartViewModel
  private let dashboard: DashboardViewModel
  private let profile: ProfileViewModel
  private let posts: PostsViewModel
  private var page: ProductPageViewModel?
  /// Cancels the loads when the session is released.
  private let loads = TaskBag()

  init(server: URL, output: SessionOutput) throws {
    self.output = output
    let main = MainActor.shared
    services = try HTTPStorefront(baseURL: server, options: .demo)
    list = ProductListViewModel(
      service: services, feed: services, pageSize: StorefrontStates.pageSize, isolation: main)
    search = SearchViewModel(
      service: services, pageSize: StorefrontStates.hitsPageSize, isolation: main)
    cart = CartViewModel(service: services, feed: services, isolation: main)
    dashboard = DashboardViewModel(
      profile: services, orders: services, recommendations: services, isolation: main)
    profile = ProfileViewModel(service: services, isolation: main)
    posts = PostsViewModel(
      service: services, pageSize: StorefrontStates.postsPageSize, isolation: main)
    let viewModels: [any AnyObject & Sendable] = [list, search, cart, dashboard, profile, posts]
    viewModels.forEach(output.meter.watch)
  }

  func bind(_ screen: Screen, in bindings: ScreenBindings) {
    switch screen {
    case .list:
      output.follow(list.states(), as: \.list, in: bindings)
      load { [list] in await list.load() }
    case .search: observeSearch(for: .first, in: bindings)
    case .cart:
      output.follow(cart.states(), as: \.cart, in: bindings)
      load { [cart] in await cart.load() }
    case .dashboard:
      output.follow(dashboard.states(), as: \.dashboard, in: bindings)
      load { [dashboard] in await dashboard.load() }
    case .profile:
      output.follow(profile.states(), as: \.profile, in: bindings)
      load { [profile] in await profile.load() }
    case .posts:
      output.follow(posts.states(), as: \.posts, in: bindings)
      output.follow(posts.events(), in: bindings) { $0.receive($1) }
      load { [posts] in await posts.load() }
    case .detail, .quantity: break
    }
  }

  func observeSearch(for observer: SearchObserver, in bindings: ScreenBindings) {
    output.follow(search.states(), in: bindings) { $0.draw($1, on: observer) }
  }

  /// Calls an intent that is cancelled with the session.
  private func load(_ intent: @escaping @Sendable @MainActor () async -> Void) {
    let mark = output.meter.mark(\.tasks)
    loads.insert(
      Task {
        defer { withExtendedLifetime(mark) {} }
        await intent()
      })
  }

  /// Calls an intent that finishes even if the session is released, and reports a failure.
  private func change(_ intent: @escaping @Sendable @MainActor () async throws -> Void) {
    let mark = output.meter.mark(\.tasks)
    Task { [weak output] in
      defer { withExtendedLifetime(mark) {} }
      do { try await intent() } catch { output?.report(.failure(error)) }
    }
  }

  var searchState: SearchState<SearchHit> { search.state }
  var profileState: ProfileState { profile.state }

  func reload(_ screen: Screen) {
    switch screen {
    case .list:
      load { [list] in
        if list.state.nextPageFailure != nil { await list.retry() } else { await list.refresh() }
      }
    case .search:
      load { [search] in
        if search.state.nextPageFailure != nil { await search.retry() } else { await search.submit() }
      }
    case .cart, .quantity: load { [cart] in await cart.load() }
    case .dashboard: load { [dashboard] in await dashboard.refresh() }
    case .detail: load { [page] in await page?.refresh() }
    case .profile: load { [profile] in await profile.refresh() }
    case .posts:
      load { [posts] in
        if posts.state.nextPageFailure != nil { await posts.retry() } else { await posts.refresh() }
      }
    }
  }

  func loadNextPage() { load { [list] in await list.loadNextPage() } }
  func loadNextPosts() { load { [posts] in await posts.loadNextPage() } }
  func search(for query: String) { search.setQuery(query) }
  func submitSearch() { load { [search] in await search.submit() } }
  func loadNextHits() { load { [search] in await search.loadNextPage() } }

  func open(_ id: CatalogProduct.ID, from source: DetailSource, in bindings: ScreenBindings) {
    let page = ProductPageViewModel(
      itemID: id, source: source, service: services, feed: services, cart: cart, isolation: MainActor.shared)
    output.meter.watch(page)
    output.states.page = page.state
    output.follow(page.states(), in: bindings) { $0.states.page = $1 }
    load { [page] in await page.load() }
    self.page = page
  }

  func closePage() { (page, output.states.page) = (nil, nil) }

  func addOpenProduct() { change { [page] in try await page?.add() } }
  func add(_ product: CatalogProduct) { change { [cart] in try await cart.add(product) } }

  func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) {
    change { [cart] in try await cart.setQuantity(quantity, of: id) }
  }

  func edit(_ field: ProfileField, to text: String) {
    output.report(Result { try profile.edit(field, to: text) })
  }

  func saveProfile() { change { [profile] in try await profile.save() } }
  func resolve(_ choice: ProfileConflictChoice) { change { [profile] in try await profile.resolve(choice) } }
  func select(_ id: Post.ID) { output.report(Result { try posts.select(id) }) }

  func delete(_ id: Post.ID) {
    // The view model sends an alert if the deletion fails.
    change { [posts] in try? await posts.delete(id) }
  }

  func perform(_ action: PostsAction) { change { [posts] in try? await posts.perform(action) } }
}

import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

@Suite("Storefront factory", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct StorefrontFactoryTests {
  private let service = InMemoryStorefront(
    StorefrontContents(
      products: [.apple, .pear],
      orders: [Order(id: 1, total: CatalogProduct.apple.price, itemCount: 1, status: .delivered)],
      posts: [Post(id: 3, title: "Opening", body: "Come in.")]))
  private let feed = ScriptedProductFeed()
  private let clock = VirtualClock()
  private let notifications = CountingCenter()

  private func makeFactory() -> StorefrontFactory {
    StorefrontFactory(
      service: service, cart: CartViewModel(service: service), feed: feed, notifications: notifications,
      clock: clock)
  }

  @Test("each route has a screen, whose view models load what the route names")
  func everyRoute() async throws {
    let factory = makeFactory()
    let product = try #require(service.contents.products.first)
    let post = try #require(service.contents.posts.first)
    for route in [
      .products, .product(product.id, source: .link), .cart, .orders, .profile, .posts, .post(post.id),
    ] as [StorefrontRoute] {
      switch factory.screen(for: route) {
      case .products(let lease):
        #expect(route == .products)
        await lease.hold { await $0.load() }
        #expect(lease.model.state.content.value?.first == product)
      case .product(let lease):
        let detail = lease.model.state.detail
        #expect(route == .product(detail.itemID, source: detail.source))
        await lease.hold { await $0.load() }
        #expect(lease.model.state.product.value == product)
      case .cart(let cart):
        #expect(route == .cart)
        #expect(cart === factory.cart)
      case .orders(let lease):
        #expect(route == .orders)
        await lease.hold { await $0.load() }
        #expect(lease.model.state.orders.value?.count == service.contents.orders.count)
      case .profile(let lease):
        #expect(route == .profile)
        await lease.hold { await $0.load() }
        #expect(lease.model.state.content.value == service.contents.profile)
      case .posts(let lease):
        #expect(route == .posts)
        await lease.hold { await $0.load() }
        #expect(lease.model.state.content.value == service.contents.posts)
      case .post(let id, let lease):
        #expect(route == .post(id))
        await lease.hold { await $0.load() }
        #expect(lease.model.state.content.value?.contains { $0.id == id } == true)
      }
    }
  }

  @Test("a product that one screen adds to the cart is shown by every other screen of the cart")
  func oneCart() async throws {
    let factory = makeFactory()
    let product = try #require(service.contents.products.first)
    guard case .product(let page) = factory.screen(for: .product(product.id, source: .list)),
      case .cart(let cart) = factory.screen(for: .cart)
    else { return #expect(Bool(false), "the routes have other screens") }
    try await page.hold {
      await $0.load()
      try await $0.add()
    }
    #expect(cart.state.cart.itemCount == 1)
    #expect(page.model.state.quantityInCart == 1)
  }

  @Test("the dashboard loads again after the account has changed elsewhere")
  func accountChange() async throws {
    let factory = makeFactory()
    guard case .orders(let lease) = factory.screen(for: .orders) else {
      return #expect(Bool(false), "the route has another screen")
    }
    try await lease.hold { dashboard in
      await dashboard.load()
      _ = try await service.save(Profile.Draft(name: "Lovelace", email: "ada@example.com"), basedOn: 1)
      notifications.post(.storefrontAccountDidChange)
      try await until { dashboard.state.profile.value?.name == "Lovelace" }
    }
  }

  @Test("screens of one product share its view model, and a product from another source has another one")
  func sharedProducts() throws {
    let factory = makeFactory()
    func model(_ route: StorefrontRoute) throws -> ViewModelLease<ProductPageViewModel> {
      guard case .product(let lease) = factory.screen(for: route) else { throw LeakError(survivors: []) }
      return lease
    }
    let first = try model(.product(1, source: .list))
    #expect(try model(.product(1, source: .list)).model === first.model)
    #expect(try model(.product(2, source: .list)).model !== first.model)
    #expect(try model(.product(1, source: .link)).model !== first.model)
  }

  @Test("the screen of a post shares the view model of the list")
  func sharedPosts() {
    let factory = makeFactory()
    guard case .posts(let list) = factory.screen(for: .posts),
      case .post(let id, let post) = factory.screen(for: .post(3))
    else { return #expect(Bool(false), "the routes have other screens") }
    #expect(id == 3)
    #expect(post.model === list.model)
  }

  @Test("a factory that is closed closes the cart, the profile and the posts")
  func close() async throws {
    let factory = makeFactory()
    await factory.close()
    #expect(factory.cart.state.isClosed)
    guard case .posts(let posts) = factory.screen(for: .posts),
      case .profile(let profile) = factory.screen(for: .profile)
    else { return #expect(Bool(false), "the routes have other screens") }
    #expect(!posts.model.state.isClosed && !profile.model.state.isClosed, "no screen has used them before")
    await factory.close()
    #expect(posts.model.state.isClosed && profile.model.state.isClosed)
  }

  @Test("a view model without a screen is kept for the retention, and then released")
  func retention() async throws {
    let factory = makeFactory()
    try await LeakTracker.check { tracker in
      if case .posts(let lease) = factory.screen(for: .posts) { tracker.track(lease.model) }
      #expect(tracker.survivors.count == 1)
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(5))
    }
  }

  @Test("the factory and all its view models are released")
  func release() async throws {
    try await LeakTracker.check { tracker in
      let factory = tracker.track(makeFactory())
      tracker.track(factory.cart)
      if case .profile(let lease) = factory.screen(for: .profile) { tracker.track(lease.model) }
    }
  }
}

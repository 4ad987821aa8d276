import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// A stage of the page and a stage of the cart that it shares with other screens.
struct PageAndCart: CaseIterable, CustomStringConvertible, Sendable {
  let page: MigrationStage
  let cart: MigrationStage

  static let allCases = MigrationStage.allCases.flatMap { page in
    MigrationStage.allCases.map { PageAndCart(page: page, cart: $0) }
  }

  var description: String { "\(page) page, \(cart) cart" }
}

/// The behavior of a product's page, which has two child view models, in every stage and with a cart of every stage.
@Suite("Product page", .timeLimit(.minutes(5)), .endsWaits)
struct ProductPageContract {
  @Test(
    "the first state shows the shared cart, and nothing is requested before the first load",
    arguments: PageAndCart.allCases)
  func firstState(stages: PageAndCart) async throws {
    try await withPage(stages) { page, cart, service in
      let first = try await StateRecorder(page.states()).first { _ in true }
      #expect(first.detail.itemID == CatalogProduct.apple.id)
      #expect(first.detail.source == .search)
      #expect(first.product.isIdle)
      #expect(first.cartItemCount == 3)
      #expect(first.quantityInCart == 2)
      #expect(!first.canAdd, "the product is not loaded")
      #expect(service.calls.requests.isEmpty)
    } before: { cart in
      try await cart.add(.apple, quantity: 2)
      try await cart.add(.pear)
    }
  }

  @Test("a load, a failed refresh and a cancelled one show as in the detail", arguments: PageAndCart.allCases)
  func loads(stages: PageAndCart) async throws {
    try await withPage(stages) { page, cart, service in
      let states = StateRecorder(page.states())
      await page.load()
      let call = try await service.calls.next()
      try await states.first { $0.product.isLoading }
      call.succeed(.apple)
      await page.settle()
      #expect(page.state.product.value == .apple)
      #expect(page.state.canAdd)

      await page.refresh()
      try await service.calls.next().fail(ServiceError.busy)
      await page.settle()
      #expect(page.state.product.value == .apple)
      #expect(page.state.detail.refreshFailure as? ServiceError == .busy)

      try await states.first { $0.detail.refreshFailure != nil }
      let seen = states.states.count
      await page.refresh()
      let cancelled = try await service.calls.next()
      try await states.first(from: seen) { $0.detail.isRefreshing }
      await page.cancel()
      #expect(!page.state.detail.isLoading)
      #expect(page.state.detail.refreshFailure as? ServiceError == .busy)
      await cancelled.waitForCancellation()
      await page.settle()
    }
  }

  @Test(
    "an added product shows before the service answers, and the intent ends with the confirmation",
    arguments: PageAndCart.allCases)
  func add(stages: PageAndCart) async throws {
    let carts = ScriptedCartService()
    try await withPage(stages, carts: carts) { page, cart, service in
      let states = StateRecorder(page.states())
      try await load(page, service)
      let added = page.add(quantity: 2)
      let change = try await carts.calls.next()
      #expect(change.request == CartChange(product: .apple, delta: 2))
      try await states.first { $0.quantityInCart == 2 && $0.cartItemCount == 2 && $0.isChangePending }
      change.succeed()
      try await added.value
      #expect(page.state.quantityInCart == 2)
      #expect(!page.state.isChangePending)
      #expect(cart.state.cart.quantity(of: CatalogProduct.apple.id) == 2)
    }
  }

  @Test(
    "a refused add fails with the refusal, and the page shows the earlier cart",
    arguments: PageAndCart.allCases)
  func refusal(stages: PageAndCart) async throws {
    let carts = ScriptedCartService()
    try await withPage(stages, carts: carts) { page, cart, service in
      try await load(page, service)
      let added = page.add()
      let refusal = CartError.refused(CatalogProduct.apple.id, reason: "sold out")
      try await carts.calls.next().fail(refusal)
      await #expect(throws: refusal) { try await added.value }
      #expect(page.state.quantityInCart == 0)
      #expect(page.state.cartItemCount == 0)
      #expect(!page.state.isChangePending)
    }
  }

  @Test("a rule of the cart refuses more units than are in stock", arguments: PageAndCart.allCases)
  func stockLimit(stages: PageAndCart) async throws {
    try await withPage(stages) { page, cart, service in
      try await load(page, service)
      try await page.add(quantity: 10).value
      #expect(!page.state.canAdd, "the cart contains the whole stock")
      let expected = CartError.insufficientStock(CatalogProduct.apple.id, requested: 11, available: 10)
      await #expect(throws: expected) { try await page.add().value }
      #expect(page.state.quantityInCart == 10)
    }
  }

  @Test(
    "a product that is not loaded cannot be added, and the error names it", arguments: PageAndCart.allCases)
  func notLoaded(stages: PageAndCart) async throws {
    try await withPage(stages) { page, cart, service in
      let expected = ProductPageError.notLoaded(CatalogProduct.apple.id)
      await #expect(throws: expected) { try await page.add().value }
      #expect(expected.localizedDescription == "\(expected)" && "\(expected)".contains("1"))
      await page.load()
      try await service.calls.next().fail(ServiceError.busy)
      await page.settle()
      await #expect(throws: expected) { try await page.add().value }
      #expect(cart.state.cart.isEmpty)
    }
  }

  @Test("the product is added with the price and stock that the page shows", arguments: PageAndCart.allCases)
  func shownPrice(stages: PageAndCart) async throws {
    let carts = ScriptedCartService()
    let feed = ScriptedProductFeed()
    try await withPage(stages, carts: carts, feed: feed) { page, cart, service in
      let states = StateRecorder(page.states())
      try await load(page, service)
      let price = Money(minorUnits: 120, currency: .usd)
      await feed.publish(ProductUpdate(product: CatalogProduct.apple.id, price: price))
      try await states.first { $0.product.value?.price == price }
      let added = page.add()
      let change = try await carts.calls.next()
      #expect(change.request.product.price == price)
      change.succeed()
      try await added.value
    }
  }

  @Test(
    "two pages and the cart's screen show each other's changes: there is one cart",
    arguments: PageAndCart.allCases)
  func severalScreens(stages: PageAndCart) async throws {
    try await withPage(stages) { apples, cart, service in
      let pears = stages.page.makeProductPage(
        itemID: CatalogProduct.pear.id, service: ScriptedDetailService(), cart: cart)
      let appleStates = StateRecorder(apples.states())
      let pearStates = StateRecorder(pears.states())
      let cartStates = StateRecorder(cart.cart.states(.latest))
      try await load(apples, service)

      try await apples.add(quantity: 2).value
      try await pearStates.first { $0.cartItemCount == 2 && $0.quantityInCart == 0 }
      try await cartStates.first { $0.cart.itemCount == 2 }

      try await cart.add(.pear, quantity: 3)
      try await appleStates.first { $0.cartItemCount == 5 && $0.quantityInCart == 2 }
      try await pearStates.first { $0.cartItemCount == 5 && $0.quantityInCart == 3 }

      try await cart.remove(CatalogProduct.apple.id)
      try await appleStates.first { $0.cartItemCount == 3 && $0.quantityInCart == 0 }
      try await pearStates.first { $0.cartItemCount == 3 }
    }
  }

  @Test(
    "a page publishes no state for a change of the cart that it does not show",
    arguments: PageAndCart.allCases)
  func unrelatedChange(stages: PageAndCart) async throws {
    let carts = ScriptedCartService()
    try await withPage(stages, carts: carts) { page, cart, service in
      let states = StateRecorder(page.states())
      let added = Task { try await cart.add(.pear) }
      let change = try await carts.calls.next()
      try await states.first { $0.cartItemCount == 1 }
      let count = states.states.count
      change.succeed()
      try await added.value
      // The page shows this change, so it has received the confirmation of the pears before.
      let last = Task { try await cart.add(.apple) }
      try await carts.calls.next().succeed()
      try await last.value
      try await states.first { $0.cartItemCount == 2 && !$0.isChangePending }
      let later = states.states[count...].map(\.cartItemCount)
      #expect(!later.contains(1), "a state for the confirmation of another product")
    }
  }

  @Test(
    "a page that is released leaves the cart and its pending change alone", arguments: PageAndCart.allCases)
  func released(stages: PageAndCart) async throws {
    let carts = ScriptedCartService()
    let service = ScriptedDetailService<CatalogProduct>()
    try await LeakTracker.check { tracker in
      let cart = stages.cart.makeSharedCart(service: carts)
      tracker.track(cart.subject)
      var added: Task<Void, any Error>?
      var states: StateRecorder<ProductPageState>?
      try await LeakTracker.check { tracker in
        let page = stages.page.makeProductPage(
          itemID: CatalogProduct.apple.id, service: service, cart: cart)
        // The caller of the add keeps a page of the async stage.
        if stages.page != .async { tracker.track(page.subject) }
        states = StateRecorder(page.states())
        try await load(page, service)
        added = page.add()
        await page.refresh()
        _ = try await service.calls.next()
      }
      let change = try await carts.calls.next()
      #expect(cart.state.cart.itemCount == 1)
      change.succeed()
      try await added?.value
      #expect(cart.state.pendingCount == 0)
      if stages.page != .closure { try await states?.waitForEnd() }
    }
  }

  @Test("counts are never shown out of order while 4 tasks add at once", arguments: PageAndCart.allCases)
  func order(stages: PageAndCart) async throws {
    try await withPage(stages, product: .nail) { page, cart, service in
      let states = StateRecorder(page.states())
      try await load(page, service, .nail)
      try await withThrowingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { for _ in 0..<50 { try await page.add().value } }
        }
        try await group.waitForAll()
      }
      #expect(page.state.quantityInCart == 200)
      try await states.first { $0.quantityInCart == 200 }
      let counts = states.states.map(\.quantityInCart)
      #expect(counts == counts.sorted(), "an older count after a newer one")
    }
  }

  @Test(
    "of a burst of prices, the page shows only the last one, at the end of the update interval",
    arguments: PageAndCart.allCases)
  func burst(stages: PageAndCart) async throws {
    let (clock, feed, carts) = (VirtualClock(), ScriptedProductFeed(), ScriptedCartService())
    try await withPage(
      stages, carts: carts, feed: feed, updateInterval: interval, clock: clock
    ) { page, cart, service in
      let states = StateRecorder(page.states())
      let added = Task { try await cart.add(.pear) }
      let change = try await carts.calls.next()
      try await states.first { $0.cartItemCount == 1 }
      try await load(page, service)
      #expect(page.state.product.value == .apple, "an intent shows its end at once")
      try await beginInterval(clock, feed, states)
      for cents in (1...9).reversed() { await feed.publish(.price(CatalogProduct.apple.id, cents)) }
      change.succeed()
      try await added.value
      #expect(page.state.product.value == .apple.costing(50), "the page shows nothing of this change")
      clock.advance(by: interval)
      try await states.first { $0.product.value == .apple.costing(1) }
      #expect(!states.states.contains { $0.product.value == .apple.costing(2) })
    }
  }

  @Test(
    "a user's change shows at once, also in the update interval of the prices",
    arguments: PageAndCart.allCases)
  func changesInAnInterval(stages: PageAndCart) async throws {
    let (clock, feed, carts) = (VirtualClock(), ScriptedProductFeed(), ScriptedCartService())
    try await withPage(
      stages, carts: carts, feed: feed, updateInterval: interval, clock: clock
    ) { page, cart, service in
      let states = StateRecorder(page.states())
      try await load(page, service)
      try await beginInterval(clock, feed, states)
      let added = page.add()
      try await states.first { $0.quantityInCart == 1 && $0.isChangePending }
      let addedElsewhere = Task { try await cart.add(.pear) }
      try await states.first { $0.cartItemCount == 2 }
      try await carts.calls.next().succeed()
      try await carts.calls.next().succeed()
      try await added.value
      try await addedElsewhere.value
      await page.refresh()
      let call = try await service.calls.next()
      try await states.first { $0.detail.isRefreshing }
      call.fail(ServiceError.busy)
      try await states.first { $0.detail.refreshFailure != nil }
      await page.settle()
    }
  }

  private let interval = Duration.milliseconds(100)

  /// Shows a price of 50, which begins an update interval.
  private func beginInterval(
    _ clock: VirtualClock, _ feed: ScriptedProductFeed, _ states: StateRecorder<ProductPageState>
  ) async throws {
    await feed.publish(.price(CatalogProduct.apple.id, 50))
    clock.advance(by: interval)
    try await states.first { $0.product.value == .apple.costing(50) }
  }

  private func load(
    _ page: any ProductPageDriver, _ service: ScriptedDetailService<CatalogProduct>,
    _ product: CatalogProduct = .apple
  ) async throws {
    await page.load()
    try await service.calls.next().succeed(product)
    await page.settle()
  }

  /// Creates a page with its cart, and checks that both are deallocated.
  private func withPage(
    _ stages: PageAndCart, product: CatalogProduct = .apple, carts: ScriptedCartService? = nil,
    feed: ScriptedProductFeed? = nil, updateInterval: Duration = .zero,
    clock: VirtualClock = VirtualClock(),
    _ body: (any ProductPageDriver, SharedCartDriver, ScriptedDetailService<CatalogProduct>) async throws ->
      Void,
    before: (SharedCartDriver) async throws -> Void = { _ in }
  ) async throws {
    try await LeakTracker.check { tracker in
      let cart = stages.cart.makeSharedCart(service: carts)
      tracker.track(cart.subject)
      try await before(cart)
      let service = ScriptedDetailService<CatalogProduct>()
      let page = stages.page.makeProductPage(
        itemID: product.id, source: .search, service: service, feed: feed, cart: cart,
        updateInterval: updateInterval, clock: clock)
      tracker.track(page.subject)
      try await body(page, cart, service)
    }
  }
}

import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let oneCartForAllScreens = inEachStage(
    "product-page/one-cart",
    """
    two pages and the cart's screen change one cart, and the service refuses some changes: in the end, each page shows what the \
    service confirmed; each page shows states of the cart in their order; a page that is closed early releases its detail and no change
    """, tasks: 6
  ) { world, stage, tracker in
    let products = [1, 2].map { number in
      CatalogProduct(
        id: CatalogProduct.ID(rawValue: number), name: "Product \(number)",
        price: Money(minorUnits: 1, currency: .usd), stock: 1_000)
    }
    let service = ShakyCart(world: world)
    // The page and the cart can be in different stages.
    let stages = stage == .async ? [MigrationStage.async] : [stage] + MigrationStage.allCases
    let cart = world.choose(from: stages).makeSharedCart(service: service, isolation: world.isolation)
    tracker.track(cart.subject)
    let cartStates = EventLog<[Int]>()
    let everyState = cart.everyState()
    var readers = [
      world.spawn("every state") { for await state in everyState { cartStates.append(state.counts) } }
    ]
    var pages: [any ProductPageDriver] = []
    let looks = products.map { _ in EventLog<Int>() }
    for (number, product) in products.enumerated() {
      let page = stage.makeProductPage(
        itemID: product.id, service: PromptDetails(world: world, products: products), cart: cart,
        isolation: world.isolation)
      tracker.track(page.subject)
      pages.append(page)
      let states = page.states()
      readers.append(
        world.spawn("page \(number + 1)") {
          for await state in states { looks[number].append(state.quantityInCart) }
        })
      await page.load()
    }
    await world.settle()

    for (number, quantity) in [(0, 1), (1, 10), (0, 100)] {
      let page = pages[number]
      shop(world, "adds \(quantity)") {
        service.confirmed.values.contains { $0.delta == quantity }
      } change: {
        try await page.add(quantity: quantity).value
      }
    }
    let removed = world.choose(from: products)
    shop(world, "takes out") {
      service.confirmed.values.contains { $0.delta < 0 }
    } change: {
      try await cart.remove(removed.id)
    }
    if world.flip() { pages.removeLast() }
    await world.settle()

    for (page, product) in zip(pages, products) {
      world.expectEqual(page.state.quantityInCart, service.quantity(of: product.id), "\(product.name):")
      world.expectEqual(page.state.cartItemCount, cart.state.cart.itemCount, "the badge of \(product.name):")
      world.expect(!page.state.isChangePending, "\(product.name) is pending")
    }
    for (number, product) in products.enumerated() {
      let all = cartStates.values.map { $0[product.id.rawValue] }
      world.expect(
        looks[number].values.isSubsequence(of: all),
        "\(product.name): \(looks[number].values) are not states of the cart in their order: \(all)")
    }
    for reader in readers { reader.cancel() }
  }

  private static func shop(
    _ world: SimulatedWorld, _ name: String, confirmed: @escaping @Sendable () -> Bool,
    change: @escaping @Sendable () async throws -> Void
  ) {
    world.spawn(name) {
      if world.flip() { await Task.yield() }
      do {
        try await change()
        world.expect(confirmed(), "\(name): a change without a confirmation")
      } catch {
        world.expect(!confirmed(), "\(name): \(error), but it was confirmed")
      }
    }
  }
}

extension CartState {
  /// The number of units of each product, at the index of its id.
  fileprivate var counts: [Int] { (0...2).map { cart.quantity(of: CatalogProduct.ID(rawValue: $0)) } }
}

extension [Int] {
  /// Whether `all` contains these values in this order. Values that repeat the value before them are left out.
  fileprivate func isSubsequence(of all: [Int]) -> Bool {
    var rest = all[...]
    var last: Int?
    for value in self where value != last {
      guard let index = rest.firstIndex(of: value) else { return false }
      rest = rest[(index + 1)...]
      last = value
    }
    return true
  }
}

private struct PromptDetails: DetailService, DetailClosureService {
  let world: SimulatedWorld
  let products: [CatalogProduct]

  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct {
    try await world.faults.latency()
    guard let product = products.first(where: { $0.id == id }) else { throw ServiceError.notFound("\(id)") }
    return product
  }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await detail(of: id) }
  }
}

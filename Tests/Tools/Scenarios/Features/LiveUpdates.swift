import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Synchronization

extension Scenario {
  static let listFollowsAFeed = inEachStage(
    "list/follows-a-feed",
    """
    while the stock changes and the feed may fail, the list is loaded, paged, refreshed and cancelled: at rest, it \
    shows the newest stock, or the error of the feed until a refresh; a released list has no reader
    """, tasks: 4
  ) { world, stage, tracker in
    let shop = LiveShop(world: world)
    try await use(
      stage.makeList(
        service: shop, closures: shop, feed: shop.feed, closureFeed: shop.feed, pageSize: 2,
        isolation: world.isolation), of: shop, tracker)
    await world.settle()
    world.expectEqual(shop.feed.readerCount, 0, "readers after the release:")
  }

  static let detailFollowsAFeed = inEachStage(
    "detail/follows-a-feed",
    """
    while the stock changes and the feed may fail, a product is loaded, refreshed and cancelled: at rest, the \
    screen shows the newest stock, or the error of the feed until a refresh; a released screen has no reader
    """, tasks: 4
  ) { world, stage, tracker in
    let shop = LiveShop(world: world)
    try await use(
      stage.makeDetail(
        itemID: 1, source: .list, service: shop, closures: shop, feed: shop.feed, closureFeed: shop.feed,
        isolation: world.isolation), of: shop, tracker)
    await world.settle()
    world.expectEqual(shop.feed.readerCount, 0, "readers after the release:")
  }

  private static func use(
    _ model: any ListDriver, of shop: LiveShop, _ tracker: LeakTracker
  ) async throws {
    let world = shop.world
    tracker.track(model.subject)
    world.spawn("opens") {
      await model.load()
      try await world.faults.latency()
      await model.loadNextPage()
    }
    shop.changeStock()
    world.spawn("pulls", canBeLeftOut: true) {
      try await world.faults.latency()
      await model.refresh()
    }
    if world.flip() {
      world.spawn("leaves", canBeLeftOut: true) {
        try await world.faults.latency()
        await model.cancel()
      }
    }
    await world.settle()
    await model.settle()
    if model.state.following.failure != nil || model.state.content.value == nil {
      await model.refresh()
      await world.settle()
    }
    let following = model.state.following
    world.expect(following.isActive && following.failure == nil, "the list does not follow")
    world.expectEqual(
      model.state.items.map(\.stock), Array(shop.stock.prefix(model.state.items.count)), "stock at rest:")
    world.expect(!model.state.items.isEmpty, "no products after a load")
    // The view model is released when this function returns, perhaps during a load.
    if world.flip() { await model.refresh() }
    if world.flip() { shop.change(0) }
  }

  private static func use(
    _ model: any DetailDriver, of shop: LiveShop, _ tracker: LeakTracker
  ) async throws {
    let world = shop.world
    tracker.track(model.subject)
    world.spawn("opens") { await model.load() }
    shop.changeStock()
    world.spawn("pulls", canBeLeftOut: true) {
      try await world.faults.latency()
      await model.refresh()
    }
    if world.flip() {
      world.spawn("leaves", canBeLeftOut: true) {
        try await world.faults.latency()
        await model.cancel()
      }
    }
    await world.settle()
    await model.settle()
    if model.state.following.failure != nil || model.state.content.value == nil {
      await model.refresh()
      await world.settle()
    }
    let following = model.state.following
    world.expect(following.isActive && following.failure == nil, "the screen does not follow")
    world.expectEqual(model.state.content.value?.stock, shop.stock[1], "stock at rest:")
    if world.flip() { await model.refresh() }
    if world.flip() { shop.change(1) }
  }
}

/// Four products whose stock changes. A request reads the stock while it runs, so its answer can be older than an update.
private final class LiveShop: PageService, PageClosureService, DetailService, DetailClosureService {
  let world: SimulatedWorld
  let feed = InMemoryProductFeed()
  private let current = Mutex(Array(repeating: 0, count: 4))

  init(world: SimulatedWorld) { self.world = world }

  /// The current stock of each product.
  var stock: [Int] { current.withLock { $0 } }

  /// Changes the stock of a product.
  func change(_ index: Int) {
    let stock = current.withLock { stock in
      stock[index] += 1
      return stock[index]
    }
    feed.publish(ProductUpdate(product: CatalogProduct.ID(rawValue: index), stock: stock))
  }

  /// Changes the stock of products while the scenario runs. The feed may fail meanwhile.
  func changeStock() {
    world.spawn("sells") { [self] in
      for _ in 1...4 {
        try await world.faults.latency()
        change(world.choose(3))
      }
    }
    guard world.flip() else { return }
    world.spawn("breaks", canBeLeftOut: true) { [self] in
      try await world.faults.latency()
      feed.end(with: .offline)
    }
  }

  private func products() async throws -> [CatalogProduct] {
    try await world.faults.latency()
    let products = stock.enumerated().map { index, stock in
      CatalogProduct(
        id: CatalogProduct.ID(rawValue: index), name: "", price: .zero(in: .usd), stock: stock)
    }
    if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
    return products
  }

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    Page(request, of: try await products())
  }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { [self] in try await page(request) }
  }

  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct { try await products()[id.rawValue] }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { [self] in try await detail(of: id) }
  }
}

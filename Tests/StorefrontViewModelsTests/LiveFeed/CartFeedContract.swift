import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// How the cart follows a feed, in every stage.
@Suite("Cart: live updates", .timeLimit(.minutes(5)), .endsWaits)
struct CartFeedContract {
  private let feed = ScriptedProductFeed()
  private let service = ScriptedCartService()

  @Test("a cart follows all products from its first load on", arguments: ContractStage.inProcess)
  func begin(stage: ContractStage) async throws {
    try await withCart(stage) { model, _ in
      #expect(feed.followed == [])
      await model.load()
      let call = try await service.loads.next()
      #expect(feed.followed == [nil])
      #expect(model.state.following.isActive)
      await model.cancel()
      await model.load()
      try await service.loads.next().succeed(Cart())
      #expect(feed.followed == [nil], "a cart that follows does not follow again")
      // A cancelled load can return before the service is cancelled.
      try await until { !call.isOpen }
    }
  }

  @Test(
    "an update is shown at once, with the units that exceed the stock, and a load keeps a newer update",
    arguments: ContractStage.inProcess)
  func updates(stage: ContractStage) async throws {
    try await withCart(stage) { model, states in
      let first = await model.load()
      try await service.loads.next().succeed(SavedCart.apples.cart)
      await first.value
      await feed.publish(.price(1, 80))
      await feed.publish(ProductUpdate(product: 1, stock: 2))
      try await states.first { $0.cart.items.first?.missingUnits == 1 }
      #expect(try model.state.cart.total() == Money(minorUnits: 240, currency: .usd))

      let second = await model.load()
      let call = try await service.loads.next()
      await feed.publish(.price(1, 70))
      await feed.publish(.price(2, 1))
      call.succeed(SavedCart.apples.cart)
      await second.value
      let last = try await states.first {
        $0.cart.items.map(\.product.price.minorUnits) == [70] && !$0.isLoading
      }
      #expect(last.cart.items.map(\.product.stock) == [CatalogProduct.apple.stock])
    }
  }

  @Test("an update of another product publishes no state", arguments: ContractStage.inProcess)
  func otherProduct(stage: ContractStage) async throws {
    try await withCart(stage) { model, states in
      let loaded = await model.load()
      try await service.loads.next().succeed(SavedCart.apples.cart)
      await loaded.value
      // When this state is recorded, all earlier ones are.
      await feed.publish(.price(1, 90))
      try await states.first { $0.cart.items[0].product.price.minorUnits == 90 }
      let count = states.states.count
      await feed.publish(.price(2, 1))
      await feed.publish(.price(1, 80))
      try await states.first { $0.cart.items[0].product.price.minorUnits == 80 }
      #expect(states.states.count == count + 1)
    }
  }

  @Test(
    "after the feed has failed, the state contains the error until the cart is loaded again",
    arguments: ContractStage.inProcess)
  func failure(stage: ContractStage) async throws {
    try await withCart(stage) { model, states in
      let first = await model.load()
      try await service.loads.next().succeed(Cart())
      await first.value
      await feed.end(.failure(ServiceError.offline))
      try await states.first { $0.following.failure as? ServiceError == .offline && !$0.following.isActive }
      let second = await model.load()
      let call = try await service.loads.next()
      #expect(model.state.following.isActive && model.state.following.failure != nil)
      call.succeed(Cart())
      await second.value
      #expect(model.state.following.failure == nil)
      #expect(feed.followed == [nil, nil])
      await feed.end(.success(()))
      try await states.first(from: states.states.count - 1) { !$0.following.isActive }
      #expect(model.state.following.failure == nil)
    }
  }

  /// Creates a cart with three apples that follows `feed`, and checks that it is released while it follows, and that its reader
  /// leaves.
  @Test("a feed that calls back after its end is ignored", arguments: [MigrationStage.closure, .stream])
  func callsAfterEnd(stage: MigrationStage) async throws {
    try await LeakTracker.check { tracker in
      let feed = RepeatingFeed()
      let model = stage.makeCart(
        restoring: .apples, service: service, closures: service, closureFeed: feed)
      tracker.track(model.subject)
      let states = StateRecorder(model.states())
      let first = await model.load()
      try await service.loads.next().succeed(SavedCart.apples.cart)
      await first.value
      feed.call(0) { $0.completion(.success(())) }
      try await states.first { !$0.following.isActive && !$0.isLoading }
      let second = await model.load()
      try await service.loads.next().succeed(SavedCart.apples.cart)
      await second.value
      feed.call(0) { reader in
        reader.receive(.price(1, 1))
        reader.completion(.failure(ServiceError.offline))
      }
      feed.call(1) { $0.receive(ProductUpdate(product: 1, stock: 2)) }
      let last = try await states.first { $0.cart.item(of: 1)?.product.stock == 2 }
      #expect(last.cart.item(of: 1)?.product.price == CatalogProduct.apple.price)
      #expect(last.following.isActive && last.following.failure == nil)
    }
  }

  private func withCart(
    _ stage: ContractStage, _ body: (any CartDriver, StateRecorder<CartState>) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      let model = stage.makeCart(restoring: .apples, service: service, feed: feed)
      tracker.track(model.subject)
      try await body(model, StateRecorder(model.states()))
    }
    await feed.waitForReaders(0)
  }
}

extension SavedCart {
  fileprivate static var apples: SavedCart {
    SavedCart(Cart(currency: .usd, items: [CartItem(product: .apple, quantity: 3)]))
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What an earlier request or an earlier stock leaves behind in the cart, in every stage.
@Suite("Cart: earlier requests", .timeLimit(.minutes(1)))
struct CartEarlierRequestContract {
  private let service = ScriptedCartService()

  @Test("a cancelled send does not become the failure of the load", arguments: ContractStage.inProcess)
  func cancelledSend(stage: ContractStage) async throws {
    try await withCart(stage, service: service) { model in
      let added = model.start(.add(.apple, quantity: 1))
      try await service.calls.next().fail(ServiceError.busy)
      _ = await added.result
      let loaded = await model.load()
      try await service.calls.next().fail(CancellationError())
      await loaded.value
      #expect(!model.state.isLoading && model.state.hasUnanswered)
      #expect(model.state.loadFailure == nil)
    }
  }

  @Test(
    "a live update that arrived during an earlier request does not change the answer of the next one",
    arguments: ContractStage.inProcess)
  func updateOfAnEarlierRequest(stage: ContractStage) async throws {
    let feed = ScriptedProductFeed()
    try await LeakTracker.check { tracker in
      let saved = SavedCart(Cart(currency: .usd, items: [CartItem(product: .apple, quantity: 3)]))
      let model = stage.makeCart(restoring: saved, service: service, feed: feed)
      tracker.track(model.subject)
      let states = StateRecorder(model.states())
      let first = await model.load()
      let request = try await service.loads.next()
      await feed.publish(.price(1, 80))
      try await states.first { $0.cart.items[0].product.price.minorUnits == 80 }
      request.fail(ServiceError.busy)
      await first.value

      let second = await model.load()
      // The service's price is newer than the update.
      try await service.loads.next().succeed(saved.cart)
      await second.value
      #expect(model.state.cart == saved.cart)
    }
    await feed.waitForReaders(0)
  }

  @Test(
    "a change that is made again on a cart with more units than the stock removes none",
    arguments: ContractStage.native)
  func fallenStock(stage: ContractStage) async throws {
    let scarce = CatalogProduct(
      id: CatalogProduct.apple.id, name: "Apple", price: CatalogProduct.apple.price, stock: 3)
    let saved = SavedCart(
      Cart(currency: .usd, items: [CartItem(product: .apple, quantity: 5)]),
      unanswered: [UnansweredChange(key: IdempotencyKey(), change: CartChange(product: scarce, delta: 1))])
    try await stage.check { tracker in
      let model = stage.makeCart(restoring: saved, service: service)
      tracker.track(model.subject)
      #expect(model.state.cart.quantity(of: scarce.id) == 5)
    }
  }
}

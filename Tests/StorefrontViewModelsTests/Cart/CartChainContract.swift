import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the cart does with many changes, with an earlier request, and with a load during a load, in every stage.
@Suite("Cart: earlier requests", .timeLimit(.minutes(5)), .endsWaits)
struct CartChainContract {
  private let service = ScriptedCartService()

  @Test(
    "thousands of changes without effect behind an unanswered one end with it",
    arguments: ContractStage.native)
  func changesWithoutEffect(stage: ContractStage) async throws {
    let first = UnansweredChange(key: IdempotencyKey(), change: CartChange(product: .apple, delta: 2))
    let others = (1...2_500).map { number in
      UnansweredChange(
        key: IdempotencyKey("key-\(number)")!, change: CartChange(product: .apple, delta: 0), quantity: 2)
    }
    try await stage.check { tracker in
      let model = stage.makeCart(restoring: SavedCart(unanswered: [first] + others), service: service)
      tracker.track(model.subject)
      #expect(model.state.pendingCount == 2_501)
      let loaded = await model.load()
      try await service.calls.next().succeed()
      let cart = Cart(currency: .usd, items: [CartItem(product: .apple, quantity: 2)])
      try await service.loads.next().succeed(cart)
      await loaded.value
      #expect(model.state.pendingCount == 0)
      #expect(model.state.cart == cart)
      #expect(service.keys.count == 1)
    }
  }

  @Test("the end of a chain of changes without effect needs no deeper stack than that of one change")
  func stackDepth() async throws {
    let product = CatalogProduct.apple
    let pendingCount = await onSmallStack {
      let first = UnansweredChange(key: IdempotencyKey(), change: CartChange(product: product, delta: 2))
      let others = (1...2_500).map { number in
        UnansweredChange(
          key: IdempotencyKey("key-\(number)")!, change: CartChange(product: product, delta: 0), quantity: 2)
      }
      var state = CartState(SavedCart(unanswered: [first] + others), hasService: true)
      for request in state.beginLoad().requests { _ = state.receive(.success(()), for: request) }
      return state.pendingCount
    }
    #expect(pendingCount == 0)
  }

  /// Runs `body` on a thread with a stack of 512 KB, like those of Apple's dispatch queues.
  private func onSmallStack(_ body: @escaping @Sendable () -> Int) async -> Int {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test(
    "a load cancels the request of the load before it, also while a change is pending",
    arguments: ContractStage.inProcess)
  func loadDuringRequest(stage: ContractStage) async throws {
    try await withCart(stage, service: service) { model in
      let first = await model.load()
      let request = try await service.loads.next()
      let added = model.start(.add(.apple, quantity: 1))
      let change = try await service.calls.next()
      let second = await model.load()
      await request.waitForCancellation()
      #expect(request.isCancelled && change.isOpen && service.loads.requests.count == 1)
      change.succeed()
      try await added.value
      try await service.loads.next().succeed(Cart())
      await first.value
      await second.value
      #expect(service.loads.requests.count == 2 && !model.state.isLoading)
    }
  }

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

import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of the cart in every stage.
@Suite("Cart", .timeLimit(.minutes(5)), .endsWaits)
struct CartContract {
  @Test("the first state is the initial cart", arguments: ContractStage.native)
  func firstState(stage: ContractStage) async throws {
    var cart = Cart()
    try cart.add(.apple, quantity: 3)
    try await withCart(stage, cart: cart) { [cart] model in
      let states = StateRecorder(model.states())
      let first = try await states.first { _ in true }
      #expect(first.cart == cart)
      #expect(model.state.cart == cart)
    }
  }

  @Test(
    "an add, a new quantity and a removal change the items and the total", arguments: ContractStage.native)
  func quantities(stage: ContractStage) async throws {
    try await withCart(stage) { model in
      try await model.add(.apple, quantity: 2)
      try await model.add(.pear, quantity: 1)
      try await model.add(.apple, quantity: 1)
      #expect(model.state.cart.items.map(\.quantity) == [3, 1])
      #expect(try model.state.cart.total() == Money(minorUnits: 3 * 100 + 250, currency: .usd))

      try await model.setQuantity(5, of: CatalogProduct.pear.id)
      try await model.remove(CatalogProduct.apple.id)
      #expect(model.state.cart.items == [CartItem(product: .pear, quantity: 5)])
    }
  }

  @Test(
    "a quantity above the stock throws an error and leaves the cart unchanged",
    arguments: ContractStage.native)
  func stockLimit(stage: ContractStage) async throws {
    try await withCart(stage) { model in
      try await model.add(.apple, quantity: 9)
      let before = model.state.cart
      let expected = CartError.insufficientStock(CatalogProduct.apple.id, requested: 11, available: 10)
      await #expect(throws: expected) { try await model.add(.apple, quantity: 2) }
      #expect(model.state.cart == before)
    }
  }

  @Test(
    "an unknown product throws an error and leaves the cart unchanged", arguments: ContractStage.native)
  func unknownProduct(stage: ContractStage) async throws {
    try await withCart(stage) { model in
      try await model.add(.apple, quantity: 1)
      let before = model.state.cart
      await #expect(throws: CartError.unknownProduct(CatalogProduct.pear.id)) {
        try await model.setQuantity(2, of: CatalogProduct.pear.id)
      }
      await #expect(throws: CartError.unknownProduct(CatalogProduct.pear.id)) {
        try await model.remove(CatalogProduct.pear.id)
      }
      #expect(model.state.cart == before)
    }
  }

  @Test("a change is shown before the service answers", arguments: ContractStage.allCases)
  func optimism(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let added = Task { try await model.add(.apple, quantity: 2) }
      let call = try await service.calls.next()
      #expect(call.request == CartChange(product: .apple, delta: 2))
      #expect(model.state.cart.quantity(of: CatalogProduct.apple.id) == 2)
      #expect(model.state.pendingCount == 1)
      call.succeed()
      try await added.value
      #expect(model.state.cart.quantity(of: CatalogProduct.apple.id) == 2)
      #expect(model.state.pendingCount == 0)
    }
  }

  @Test(
    "a refused change is rolled back, and observers receive the earlier cart",
    arguments: ContractStage.allCases)
  func rollBack(stage: ContractStage) async throws {
    var cart = Cart()
    try cart.add(.apple, quantity: 1)
    try cart.add(.pear, quantity: 1)
    let service = ScriptedCartService()
    try await withCart(stage, cart: cart, service: service) { [cart] model in
      let states = StateRecorder(model.states())
      try await states.first { $0.cart == cart }
      let removed = Task { try await model.remove(CatalogProduct.apple.id) }
      let call = try await service.calls.next()
      try await states.first { $0.cart.items.count == 1 }
      let refusal = CartError.refused(CatalogProduct.apple.id, reason: "reserved")
      call.fail(refusal)
      await #expect(throws: refusal) { try await removed.value }
      #expect(model.state.cart == cart)
      try await states.first(from: states.states.count - 1) { $0.cart == cart }
    }
  }

  @Test("a refusal rolls back only the refused change", arguments: ContractStage.allCases)
  func rollBackAmongOthers(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let first = Task { try await model.add(.apple, quantity: 2) }
      let firstCall = try await service.calls.next()
      let second = Task { try await model.add(.pear, quantity: 3) }
      let secondCall = try await service.calls.next()
      let third = Task { try await model.add(.nail, quantity: 4) }
      let thirdCall = try await service.calls.next()

      secondCall.fail(refusal(of: .pear))
      await #expect(throws: refusal(of: .pear)) { try await second.value }
      #expect(model.state.cart.items.map(\.quantity) == [2, 4])
      firstCall.succeed()
      try await first.value
      thirdCall.fail(refusal(of: .nail))
      await #expect(throws: refusal(of: .nail)) { try await third.value }
      #expect(model.state.cart.items == [CartItem(product: .apple, quantity: 2)])
      #expect(model.state.pendingCount == 0)
    }
  }

  private func refusal(of product: CatalogProduct) -> CartError { .refused(product.id, reason: "sold out") }

  @Test("no update of 8 concurrent callers is lost", arguments: ContractStage.native)
  func concurrentCallers(stage: ContractStage) async throws {
    let (callers, each) = (8, 250)
    try await withCart(stage) { model in
      let states = StateRecorder(model.states())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<callers {
          group.addTask { for _ in 0..<each { try await model.add(.nail, quantity: 1) } }
        }
        try await group.waitForAll()
      }
      #expect(model.state.cart.quantity(of: CatalogProduct.nail.id) == callers * each)
      try await states.first { $0.cart.itemCount == callers * each }
      let counts = states.states.map(\.cart.itemCount)
      #expect(counts == counts.sorted(), "no observer sees an older cart after a newer one")
    }
  }

  @Test("streams end when the cart is deallocated", arguments: ContractStage.streams)
  func ownerEnd(stage: ContractStage) async throws {
    var states: StateRecorder<CartState>?
    try await withCart(stage) { model in states = StateRecorder(model.states()) }
    try await states?.waitForEnd()
  }
}

/// Creates the cart's view model of a stage, and checks that it is deallocated.
func withCart(
  _ stage: ContractStage, cart: Cart = Cart(), service: (any CartService & CartClosureService)? = nil,
  storage: (any CartStorage & CartClosureStorage)? = nil, clock: VirtualClock = VirtualClock(),
  _ body: (any CartDriver) async throws -> Void
) async throws {
  try await stage.check { tracker in
    let model = stage.makeCart(
      restoring: SavedCart(cart), service: service, storage: storage, clock: clock)
    tracker.track(model.subject)
    try await body(model)
  }
}

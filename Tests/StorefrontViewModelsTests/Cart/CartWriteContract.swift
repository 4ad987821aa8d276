import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of the cart's pending changes in every stage.
@Suite("Cart: pending changes", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct CartWriteContract {
  @Test(
    "an add continues if its caller is cancelled, and the caller still gets the result",
    arguments: ContractStage.allCases)
  func cancelledCaller(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let added = Task { try await model.add(.apple, quantity: 2) }
      let call = try await service.calls.next()
      added.cancel()
      // Without HTTP, a cancellation would reach the service before `cancel()` returns. Over HTTP, it would reach the
      // service before the answer to a later request.
      let other = model.start(.add(.pear, quantity: 1))
      try await service.calls.next().succeed()
      try await other.value
      #expect(!call.isCancelled)
      call.succeed()
      try await added.value
      #expect(model.state.cart.quantity(of: CatalogProduct.apple.id) == 2)
      #expect(model.state.pendingCount == 0)
    }
  }

  @Test(
    "an add is sent even if its caller is cancelled while the add waits for an earlier change",
    arguments: ContractStage.allCases)
  func cancelledWhileWaiting(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let first = Task { try await model.add(.apple, quantity: 2) }
      let firstCall = try await service.calls.next()
      let second = Task { try await model.add(.apple, quantity: 3) }
      try await shows(5, of: .apple, in: model)
      second.cancel()
      firstCall.succeed()
      try await first.value
      let secondCall = try await service.calls.next()
      #expect(secondCall.request.delta == 3)
      secondCall.succeed()
      try await second.value
      #expect(model.state.pendingCount == 0)
    }
  }

  @Test(
    "pending changes are sent and confirmed even if the view model is released",
    arguments: ContractStage.allCases)
  func released(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await stage.check { tracker in
      let (added, removed) = try await addedAndRemoved(stage, service, tracker)
      let add = try await service.calls.next()
      #expect(add.isOpen)
      #expect(!add.isCancelled)
      add.succeed()
      try await added.value
      let remove = try await service.calls.next()
      #expect(remove.request == CartChange(product: .apple, delta: -2))
      #expect(!remove.isCancelled)
      remove.succeed()
      try await removed.value
    }
  }

  /// Starts two changes, releases the view model, and returns the tasks of the callers.
  private func addedAndRemoved(
    _ stage: ContractStage, _ service: ScriptedCartService, _ tracker: LeakTracker
  ) async throws -> (Task<Void, any Error>, Task<Void, any Error>) {
    let model = stage.makeCart(service: service)
    tracker.track(model.subject)
    let added = model.start(.add(.apple, quantity: 2))
    try await shows(2, of: .apple, in: model)
    let removed = model.start(.remove(CatalogProduct.apple.id))
    try await shows(0, of: .apple, in: model)
    return (added, removed)
  }

  @Test(
    "changes of one product are sent one after another, changes of different products at the same time",
    arguments: ContractStage.allCases)
  func order(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let added = model.start(.add(.apple, quantity: 3))
      let add = try await service.calls.next()
      let removed = model.start(.remove(CatalogProduct.apple.id))
      try await shows(0, of: .apple, in: model)
      let readded = model.start(.add(.apple, quantity: 1))
      try await shows(1, of: .apple, in: model)

      let other = model.start(.add(.pear, quantity: 1))
      let otherAdd = try await service.calls.next()
      #expect(
        otherAdd.request == CartChange(product: .pear, delta: 1), "a change of another product does not wait")
      otherAdd.succeed()
      try await other.value
      #expect(service.calls.requests.count == 2)
      #expect(model.state.pendingCount == 3)

      add.succeed()
      try await added.value
      let remove = try await service.calls.next()
      #expect(remove.request == CartChange(product: .apple, delta: -3))
      #expect(service.calls.requests.count == 3)
      remove.succeed()
      try await removed.value
      try await service.calls.next().succeed()
      try await readded.value
      #expect(model.state.cart.items.map(\.quantity) == [1, 1])
      #expect(model.state.pendingCount == 0)
    }
  }

  @Test(
    "if an earlier change is refused, a waiting change that is now impossible fails and is not sent",
    arguments: ContractStage.allCases)
  func behindRefused(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let added = model.start(.add(.apple, quantity: 3))
      let add = try await service.calls.next()
      let removed = model.start(.remove(CatalogProduct.apple.id))
      try await shows(0, of: .apple, in: model)
      let readded = model.start(.add(.apple, quantity: 1))
      try await shows(1, of: .apple, in: model)

      let refusal = CartError.refused(CatalogProduct.apple.id, reason: "reserved")
      add.fail(refusal)
      await #expect(throws: refusal) { try await added.value }
      await #expect(throws: CartError.unknownProduct(CatalogProduct.apple.id)) { try await removed.value }
      let next = try await service.calls.next()
      #expect(next.request == CartChange(product: .apple, delta: 1))
      next.succeed()
      try await readded.value
      #expect(model.state.cart.items == [CartItem(product: .apple, quantity: 1)])
      #expect(model.state.pendingCount == 0)
    }
  }

  @Test(
    "if a change is refused, the next change is computed again before it is sent",
    arguments: ContractStage.allCases)
  func smallerBehindRefused(stage: ContractStage) async throws {
    var cart = Cart()
    try cart.add(.apple, quantity: 4)
    let service = ScriptedCartService()
    try await withCart(stage, cart: cart, service: service) { model in
      let added = model.start(.add(.apple, quantity: 5))
      let add = try await service.calls.next()
      let set = model.start(.setQuantity(3, of: CatalogProduct.apple.id))
      try await shows(3, of: .apple, in: model)
      let refusal = CartError.refused(CatalogProduct.apple.id, reason: "reserved")
      add.fail(refusal)
      await #expect(throws: refusal) { try await added.value }
      let call = try await service.calls.next()
      #expect(call.request == CartChange(product: .apple, delta: -1))
      call.succeed()
      try await set.value
      #expect(model.state.cart.quantity(of: CatalogProduct.apple.id) == 3)
    }
  }

  @Test(
    "a change that has no effect succeeds and is not sent, also if the change before it is refused",
    arguments: ContractStage.allCases)
  func withoutEffect(stage: ContractStage) async throws {
    var cart = Cart()
    try cart.add(.apple, quantity: 3)
    let service = ScriptedCartService()
    try await withCart(stage, cart: cart, service: service) { model in
      try await model.start(.setQuantity(3, of: CatalogProduct.apple.id)).value
      let five = model.start(.setQuantity(5, of: CatalogProduct.apple.id))
      let call = try await service.calls.next()
      let three = model.start(.setQuantity(3, of: CatalogProduct.apple.id))
      try await shows(3, of: .apple, in: model)
      let refusal = CartError.refused(CatalogProduct.apple.id, reason: "reserved")
      call.fail(refusal)
      await #expect(throws: refusal) { try await five.value }
      try await three.value
      #expect(model.state.cart == cart && model.state.pendingCount == 0)
      #expect(service.calls.requests.map(\.delta) == [2])
    }
  }

  @Test(
    "over HTTP, the cart equals the server's cart after many changes, some with cancelled callers",
    arguments: MigrationStage.allCases)
  func overHTTP(stage: MigrationStage) async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 100))
    let url = try server.start()
    let products = server.catalog.products.filter { $0.stock >= 3 }
    let options = HTTPOptions(
      limits: HTTPLimits(deadline: .seconds(600), idleTimeout: .seconds(600)), retry: .none)
    let model = stage.makeCart(
      service: try HTTPStorefront(baseURL: url, options: options),
      closures: try HTTPClosureStorefront(baseURL: url, options: options))
    var callers: [Task<Void, any Error>] = []
    /// Returns as soon as the change is shown, so that the next request follows closely.
    func start(_ intent: CartIntent, showing quantity: Int, of product: CatalogProduct) async {
      callers.append(model.start(intent))
      while model.state.cart.quantity(of: product.id) != quantity { await Task.yield() }
      if callers.count % 3 == 0 { callers[callers.count - 1].cancel() }
    }
    for (number, product) in products.enumerated() {
      await start(.add(product, quantity: 3), showing: 3, of: product)
      await start(.remove(product.id), showing: 0, of: product)
      if number % 2 == 0 { await start(.add(product, quantity: 1), showing: 1, of: product) }
    }
    for caller in callers { try await caller.value }
    #expect(model.state.pendingCount == 0)
    let shown = products.map { model.state.cart.quantity(of: $0.id) }
    #expect(shown == products.indices.map { $0 % 2 == 0 ? 1 : 0 })
    #expect(products.map { server.cartQuantity(of: $0.id) } == shown)
  }

  private func shows(_ quantity: Int, of product: CatalogProduct, in model: any CartDriver) async throws {
    try await StateRecorder(model.states()).first { $0.cart.quantity(of: product.id) == quantity }
  }
}

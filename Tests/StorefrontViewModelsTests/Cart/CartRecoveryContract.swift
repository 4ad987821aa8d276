import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// How the cart recovers from services that do not answer, in every stage.
@Suite("Cart: recovery", .timeLimit(.minutes(5)), .endsWaits)
struct CartRecoveryContract {
  @Test(
    "an unanswered change stays, its caller gets an error, and a load sends it again with its key",
    arguments: ContractStage.allCases)
  func unanswered(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let added = model.start(.add(.apple, quantity: 2))
      try await service.calls.next().fail(ServiceError.busy)
      await #expect(throws: CartError.unanswered(CatalogProduct.apple.id, reason: "\(ServiceError.busy)")) {
        try await added.value
      }
      #expect(model.state.cart.quantity(of: CatalogProduct.apple.id) == 2)
      #expect(model.state.pendingCount == 1)
      #expect(model.state.hasUnanswered)

      let loaded = await model.load()
      let again = try await service.calls.next()
      #expect(again.request == CartChange(product: .apple, delta: 2))
      #expect(service.keys.count == 2 && Set(service.keys).count == 1)
      again.succeed()
      try await service.loads.next().succeed(try Cart(holding: .pear))
      await loaded.value
      #expect(model.state.cart == (try Cart(holding: .pear)))
      #expect(model.state.pendingCount == 0 && !model.state.hasUnanswered && !model.state.isLoading)
    }
  }

  @Test(
    "a change behind an unanswered one fails for its caller, and is sent after it by the next load",
    arguments: ContractStage.allCases)
  func behindUnanswered(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let added = model.start(.add(.apple, quantity: 2))
      let add = try await service.calls.next()
      let removed = model.start(.remove(CatalogProduct.apple.id))
      try await StateRecorder(model.states()).first { $0.pendingCount == 2 }
      add.fail(ServiceError.busy)
      let expected = CartError.unanswered(CatalogProduct.apple.id, reason: "\(ServiceError.busy)")
      await #expect(throws: expected) { try await added.value }
      await #expect(throws: expected) { try await removed.value }

      let loaded = await model.load()
      try await service.calls.next().succeed()
      let remove = try await service.calls.next()
      #expect(remove.request.delta == -2)
      remove.succeed()
      try await service.loads.next().succeed(Cart())
      await loaded.value
      #expect(model.state.pendingCount == 0)
    }
  }

  @Test(
    "the next change of a product sends an unanswered change first", arguments: ContractStage.allCases)
  func nextChange(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let first = model.start(.add(.apple, quantity: 2))
      try await service.calls.next().fail(ServiceError.busy)
      _ = await first.result
      let second = model.start(.add(.apple, quantity: 3))
      let again = try await service.calls.next()
      #expect(again.request.delta == 2)
      again.succeed()
      let call = try await service.calls.next()
      #expect(call.request.delta == 3)
      call.succeed()
      try await second.value
      #expect(Set(service.keys).count == 2)
      #expect(model.state.pendingCount == 0)
    }
  }

  @Test(
    "a shopper can give unanswered changes up: they are rolled back, forgotten by the storage, and not sent again",
    arguments: ContractStage.allCases)
  func discard(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedCartService(), ScriptedCartStorage())
    try await withCart(stage, service: service, storage: storage) { model in
      let added = model.start(.add(.apple, quantity: 2))
      try await storage.saves.next().succeed(())
      try await service.calls.next().fail(ServiceError.busy)
      _ = await added.result
      #expect(model.state.hasUnanswered)
      let states = StateRecorder(model.states())
      model.discardUnanswered()
      try await states.first { $0.pendingCount == 0 }
      #expect(model.state.cart.isEmpty)
      let save = try await storage.saves.next()
      #expect(save.request == SavedCart())
      save.succeed(())
      let loaded = await model.load()
      try await service.loads.next().succeed(try Cart(holding: .apple))
      await loaded.value
      #expect(model.state.cart == (try Cart(holding: .apple)), "the service had made the change")
      #expect(service.keys.count == 1)
      try await storage.saves.next().succeed(())
    }
  }

  @Test(
    "a service that never answers does not keep the view model alive beyond the deadline",
    arguments: ContractStage.inProcess)
  func deadline(stage: ContractStage) async throws {
    let (service, clock) = (ScriptedCartService(ignoringCancellation: true), VirtualClock())
    try await withCart(stage, service: service, clock: clock) { model in
      let added = model.start(.add(.apple, quantity: 2))
      let call = try await service.calls.next()
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(59))
      #expect(!call.isCancelled)
      clock.advance(by: .seconds(1))
      await #expect(throws: CartError.self) { try await added.value }
      await call.waitForCancellation()
      #expect(model.state.hasUnanswered)
      #expect(model.state.cart.quantity(of: CatalogProduct.apple.id) == 2)
    }
    // The view model is released, although the service still has the request. A late answer has no effect.
    for call in service.calls.openCalls { call.succeed() }
  }

  @Test(
    "a load ends at the deadline if the service never answers, and the next load is not affected",
    arguments: ContractStage.inProcess)
  func loadDeadline(stage: ContractStage) async throws {
    let (service, clock) = (ScriptedCartService(ignoringCancellation: true), VirtualClock())
    try await withCart(stage, cart: try Cart(holding: .apple), service: service, clock: clock) { model in
      let loaded = await model.load()
      let call = try await service.loads.next()
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(59))
      #expect(!call.isCancelled && model.state.isLoading)
      clock.advance(by: .seconds(1))
      await loaded.value
      #expect(model.state.loadFailure as? ServiceError == .timedOut)
      #expect(model.state.cart == (try Cart(holding: .apple)))
      await call.waitForCancellation()
      let again = await model.load()
      let next = try await service.loads.next()
      call.succeed(Cart())
      next.succeed(try Cart(holding: .pear))
      await again.value
      #expect(model.state.cart == (try Cart(holding: .pear)), "a late answer has no effect")
      let last = await model.load()
      _ = try await service.loads.next()
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(60))
      await last.value
    }
    // The view model is released, although the service still has the last request.
    for call in service.loads.openCalls { call.succeed(Cart()) }
  }

  @Test(
    "a load shows the service's cart, and a failed load keeps the cart", arguments: ContractStage.allCases)
  func load(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, cart: try Cart(holding: .apple), service: service) { model in
      let failed = await model.load()
      let call = try await service.loads.next()
      #expect(model.state.isLoading)
      call.fail(ServiceError.busy)
      await failed.value
      #expect(model.state.loadFailure as? ServiceError == .busy)
      #expect(model.state.cart == (try Cart(holding: .apple)))
      let loaded = await model.load()
      try await service.loads.next().succeed(try Cart(holding: .pear))
      await loaded.value
      #expect(model.state.loadFailure == nil)
      #expect(model.state.cart == (try Cart(holding: .pear)))
    }
  }

  @Test(
    "a load fails if a change stays unanswered, and does not ask for the cart",
    arguments: ContractStage.allCases)
  func loadBehindUnanswered(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let added = model.start(.add(.apple, quantity: 2))
      try await service.calls.next().fail(ServiceError.busy)
      _ = await added.result
      let loaded = await model.load()
      try await service.calls.next().fail(ServiceError.busy)
      await loaded.value
      #expect(model.state.loadFailure as? ServiceError == .busy)
      #expect(model.state.cart.itemCount == 2)
      #expect(service.loads.requests.isEmpty)
    }
  }

  @Test(
    "a service's cart that does not contain a change is dropped, and the cart is loaded again",
    arguments: ContractStage.allCases)
  func changeDuringLoad(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, service: service) { model in
      let loaded = await model.load()
      let outdated = try await service.loads.next()
      let added = model.start(.add(.apple, quantity: 2))
      let add = try await service.calls.next()
      outdated.succeed(Cart())
      add.succeed()
      try await added.value
      try await service.loads.next().succeed(try Cart(holding: .apple))
      await loaded.value
      #expect(model.state.cart == (try Cart(holding: .apple)))
    }
  }

  @Test(
    "a new load replaces a load in progress, and the callers of both wait for the new one",
    arguments: ContractStage.allCases)
  func replacedLoad(stage: ContractStage) async throws {
    let service = ScriptedCartService(ignoringCancellation: true)
    try await withCart(stage, service: service) { model in
      let first = await model.load()
      let old = try await service.loads.next()
      let second = await model.load()
      let new = try await service.loads.next()
      old.succeed(try Cart(holding: .pear))
      new.succeed(try Cart(holding: .apple))
      await first.value
      #expect(model.state.cart == (try Cart(holding: .apple)))
      await second.value
    }
  }

  @Test(
    "cancel ends a load at once, and a late answer is dropped", arguments: ContractStage.inProcess)
  func cancelledLoad(stage: ContractStage) async throws {
    let service = ScriptedCartService(ignoringCancellation: true)
    try await withCart(stage, cart: try Cart(holding: .apple), service: service) { model in
      await model.cancel()
      let loaded = await model.load()
      let call = try await service.loads.next()
      await model.cancel()
      #expect(!model.state.isLoading)
      await loaded.value
      await call.waitForCancellation()
      call.succeed(Cart())
      // Passes the queue or the actor that would handle the answer.
      await model.cancel()
      #expect(model.state.cart.itemCount == 1)
      let again = await model.load()
      try await service.loads.next().succeed(try Cart(holding: .pear))
      await again.value
      #expect(model.state.cart == (try Cart(holding: .pear)))
    }
  }

  @Test(
    "a load is cancelled with its view model, or in the async stage with its caller",
    arguments: ContractStage.inProcess)
  func releasedDuringLoad(stage: ContractStage) async throws {
    let service = ScriptedCartService(ignoringCancellation: true)
    let (loaded, call) = try await stage.check { tracker in
      let model = stage.makeCart(service: service)
      if stage.stage != .async { tracker.track(model.subject) }
      return (await model.load(), try await service.loads.next())
    }
    if stage.stage == .async { loaded.cancel() }
    await call.waitForCancellation()
    await loaded.value
    call.succeed(Cart())
  }

  @Test("without a service, a load returns right away", arguments: ContractStage.native)
  func noService(stage: ContractStage) async throws {
    try await withCart(stage, cart: try Cart(holding: .apple)) { model in
      await (await model.load()).value
      #expect(model.state.cart.itemCount == 1)
      #expect(!model.state.isLoading)
    }
  }

  // MARK: - Storage

  @Test(
    "each change is saved before and after its answer: one save at a time, with the newest cart",
    arguments: ContractStage.native)
  func saves(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedCartService(), ScriptedCartStorage())
    try await withCart(stage, service: service, storage: storage) { model in
      let added = model.start(.add(.apple, quantity: 2))
      let call = try await service.calls.next()
      let first = try await storage.saves.next()
      #expect(first.request.cart.isEmpty)
      #expect(first.request.unanswered.map(\.key) == service.keys)
      #expect(first.request.unanswered.map(\.change) == [CartChange(product: .apple, delta: 2)])
      call.succeed()
      try await added.value
      let others = model.start(.add(.pear, quantity: 1))
      try await service.calls.next().succeed()
      try await others.value
      #expect(storage.saves.requests.count == 1, "one save at a time")
      first.succeed()
      let second = try await storage.saves.next()
      #expect(second.request == SavedCart(model.state.cart))
      second.succeed()
    }
    #expect(storage.saves.requests.count == 2)
  }

  @Test(
    "without a service, each change is saved, and the error of a save is shown",
    arguments: ContractStage.native)
  func saveFailure(stage: ContractStage) async throws {
    let storage = ScriptedCartStorage()
    try await withCart(stage, storage: storage) { model in
      let states = StateRecorder(model.states())
      try await model.add(.apple, quantity: 1)
      try await storage.saves.next().fail(StorageError.closed(file: "cart.json"))
      try await states.first { $0.saveFailure as? StorageError == .closed(file: "cart.json") }
      try await model.add(.apple, quantity: 1)
      try await storage.saves.next().succeed()
      try await states.first { $0.saveFailure == nil && $0.cart.itemCount == 2 }
    }
  }

  @Test(
    "a flush ends when a change that was made during a save is stored", arguments: ContractStage.native)
  func flush(stage: ContractStage) async throws {
    let storage = ScriptedCartStorage()
    try await withCart(stage, storage: storage) { model in
      try await model.add(.apple, quantity: 1)
      let first = try await storage.saves.next()
      try await model.add(.pear, quantity: 1)
      let flushed = model.flush()
      // In the closure and stream stages, returns after the flush has begun.
      await model.cancel()
      first.succeed()
      let second = try await storage.saves.next()
      #expect(second.request == SavedCart(model.state.cart) && second.request.cart.itemCount == 2)
      let hasEnded = Gate()
      let ending = Task {
        try await flushed.value
        hasEnded.open()
      }
      for _ in 0..<20 { await Task.detached {}.value }
      #expect(!hasEnded.isOpen)
      second.succeed()
      try await ending.value
    }
    #expect(storage.saves.requests.count == 2)
  }

  @Test(
    "without a storage, a flush succeeds", arguments: ContractStage.native)
  func flushWithoutStorage(stage: ContractStage) async throws {
    try await withCart(stage) { model in
      try await model.add(.apple, quantity: 1)
      try await model.flush().value
    }
  }

  @Test(
    "after a restart, unanswered changes are shown and sent once more, with their keys",
    arguments: ContractStage.allCases)
  func restart(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedCartService(), ScriptedCartStorage())
    try await withCart(stage, service: service, storage: storage) { model in
      let added = model.start(.add(.apple, quantity: 2))
      try await service.calls.next().fail(ServiceError.busy)
      _ = await added.result
      // A save can begin after the change that causes it has failed.
      _ = try await storage.saves.next()
    }
    let saved = try #require(storage.saves.requests.last)
    try await stage.check { tracker in
      let model = stage.makeCart(restoring: saved, service: service)
      tracker.track(model.subject)
      #expect(model.state.cart.quantity(of: CatalogProduct.apple.id) == 2)
      #expect(model.state.pendingCount == 1)
      let loaded = await model.load()
      try await service.calls.next().succeed()
      try await service.loads.next().succeed(try Cart(holding: .apple))
      await loaded.value
      #expect(service.keys.count == 2 && Set(service.keys).count == 1)
      #expect(model.state.pendingCount == 0)
    }
  }
}

extension Cart {
  /// A cart with one unit of a product.
  fileprivate init(holding product: CatalogProduct) throws {
    self.init()
    try add(product)
  }
}

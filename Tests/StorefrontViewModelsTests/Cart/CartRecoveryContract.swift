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
      try await service.loads.next().succeed(try Cart((.pear, 1)))
      await loaded.value
      #expect(model.state.cart == (try Cart((.pear, 1))))
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
    "a load sends at most 4 unanswered changes at the same time, and a failed one does not stop the others",
    arguments: ContractStage.native)
  func limit(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    let changes = (1...9).map {
      UnansweredChange(key: IdempotencyKey(), change: CartChange(product: CatalogProduct($0), delta: 1))
    }
    try await stage.check { tracker in
      let model = stage.makeCart(restoring: SavedCart(unanswered: changes), service: service)
      tracker.track(model.subject)
      let loaded = await model.load()
      var calls = [try await service.calls.next()]
      for answered in 0..<9 {
        while calls.count < min(4, 9 - answered) { calls.append(try await service.calls.next()) }
        // A fifth request would arrive meanwhile.
        for _ in 0..<20 { await Task.detached {}.value }
        #expect(service.calls.openCalls.count == calls.count)
        let call = calls.removeFirst()
        if answered == 2 { call.fail(ServiceError.busy) } else { call.succeed() }
      }
      await loaded.value
      #expect(model.state.loadFailure as? ServiceError == .busy)
      #expect(model.state.pendingCount == 1 && service.loads.requests.isEmpty)

      let again = await model.load()
      try await service.calls.next().succeed()
      try await service.loads.next().succeed(Cart())
      await again.value
      #expect(service.keys.count == 10 && Set(service.keys) == Set(changes.map(\.key)))
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
      try await service.loads.next().succeed(try Cart((.apple, 1)))
      await loaded.value
      #expect(model.state.cart == (try Cart((.apple, 1))), "the service had made the change")
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
      try await service.loads.next().succeed(try Cart((.apple, 1)))
      await loaded.value
      #expect(service.keys.count == 2 && Set(service.keys).count == 1)
      #expect(model.state.pendingCount == 0)
    }
  }
}

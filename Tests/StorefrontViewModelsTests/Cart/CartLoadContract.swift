import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The loads of the cart, in every stage.
@Suite("Cart: loads", .timeLimit(.minutes(5)), .endsWaits)
struct CartLoadContract {
  @Test(
    "a load shows the service's cart, and a failed load keeps the cart", arguments: ContractStage.allCases)
  func load(stage: ContractStage) async throws {
    let service = ScriptedCartService()
    try await withCart(stage, cart: try Cart((.apple, 1)), service: service) { model in
      let failed = await model.load()
      let call = try await service.loads.next()
      #expect(model.state.isLoading)
      call.fail(ServiceError.busy)
      await failed.value
      #expect(model.state.loadFailure as? ServiceError == .busy)
      #expect(model.state.cart == (try Cart((.apple, 1))))
      let loaded = await model.load()
      try await service.loads.next().succeed(try Cart((.pear, 1)))
      await loaded.value
      #expect(model.state.loadFailure == nil)
      #expect(model.state.cart == (try Cart((.pear, 1))))
    }
  }

  @Test(
    "a load ends at the deadline if the service never answers, and the next load is not affected",
    arguments: ContractStage.inProcess)
  func loadDeadline(stage: ContractStage) async throws {
    let (service, clock) = (ScriptedCartService(ignoringCancellation: true), VirtualClock())
    try await withCart(stage, cart: try Cart((.apple, 1)), service: service, clock: clock) { model in
      let loaded = await model.load()
      let call = try await service.loads.next()
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(59))
      #expect(!call.isCancelled && model.state.isLoading)
      clock.advance(by: .seconds(1))
      await loaded.value
      #expect(model.state.loadFailure as? ServiceError == .timedOut)
      #expect(model.state.cart == (try Cart((.apple, 1))))
      await call.waitForCancellation()
      let again = await model.load()
      let next = try await service.loads.next()
      call.succeed(Cart())
      next.succeed(try Cart((.pear, 1)))
      await again.value
      #expect(model.state.cart == (try Cart((.pear, 1))), "a late answer has no effect")
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
      try await service.loads.next().succeed(try Cart((.apple, 1)))
      await loaded.value
      #expect(model.state.cart == (try Cart((.apple, 1))))
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
      old.succeed(try Cart((.pear, 1)))
      new.succeed(try Cart((.apple, 1)))
      await first.value
      #expect(model.state.cart == (try Cart((.apple, 1))))
      await second.value
    }
  }

  @Test(
    "cancel ends a load at once, and a late answer is dropped", arguments: ContractStage.inProcess)
  func cancelledLoad(stage: ContractStage) async throws {
    let service = ScriptedCartService(ignoringCancellation: true)
    try await withCart(stage, cart: try Cart((.apple, 1)), service: service) { model in
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
      try await service.loads.next().succeed(try Cart((.pear, 1)))
      await again.value
      #expect(model.state.cart == (try Cart((.pear, 1))))
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
    try await withCart(stage, cart: try Cart((.apple, 1))) { model in
      await (await model.load()).value
      #expect(model.state.cart.itemCount == 1)
      #expect(!model.state.isLoading)
    }
  }
}

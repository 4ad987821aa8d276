import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of the detail screen, which shows one item, in every stage.
@Suite("Product detail", .timeLimit(.minutes(5)), .endsWaits)
struct ProductDetailContract {
  @Test(
    "the first state names the item, and nothing is requested before the first load",
    arguments: ContractStage.allCases)
  func firstState(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>()
    try await withDetail(stage, service) { model in
      let first = try await StateRecorder(model.states()).first { _ in true }
      #expect(first.itemID == 7)
      #expect(first.source == .search)
      #expect(first.content.isIdle)
      #expect(service.calls.requests.isEmpty)
    }
  }

  @Test("a load shows the loading state, then the item", arguments: ContractStage.allCases)
  func load(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>()
    try await withDetail(stage, service) { model in
      let states = StateRecorder(model.states())
      await model.load()
      let call = try await service.calls.next()
      #expect(call.request == 7)
      try await states.first { $0.content.isLoading }
      call.succeed(CatalogProduct(7))
      try await states.first { $0.content.value == CatalogProduct(7) }
      #expect(model.state.content.value == CatalogProduct(7))
    }
  }

  @Test(
    "100 concurrent loads and a later one together make one request",
    arguments: ContractStage.allCases)
  func loadOnce(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>()
    try await withDetail(stage, service) { model in
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { await model.load() } }
      }
      let call = try await service.calls.next()
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { await model.load() } }
      }
      call.succeed(CatalogProduct(7))
      await model.settle()
      await model.load()
      await model.settle()
      #expect(service.calls.requests == [7])
      #expect(model.state.content.value == CatalogProduct(7))
    }
  }

  @Test("a load after a failure requests the item again", arguments: ContractStage.allCases)
  func loadAfterFailure(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>()
    try await withDetail(stage, service) { model in
      await model.load()
      try await service.calls.next().fail(ServiceError.notFound("product 7"))
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .notFound("product 7"))

      await model.load()
      let again = try await service.calls.next()
      #expect(model.state.content.isLoading)
      again.succeed(CatalogProduct(7))
      await model.settle()
      #expect(model.state.content.value == CatalogProduct(7))
      #expect(service.calls.requests == [7, 7])
    }
  }

  @Test("a cancelled load restores the earlier state", arguments: ContractStage.allCases)
  func cancel(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>()
    try await withDetail(stage, service) { model in
      await model.load()
      let first = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.isIdle)
      await first.waitForCancellation()

      await model.load()
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      await model.load()
      _ = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.error as? ServiceError == .busy)
    }
  }

  @Test(
    "a refresh keeps the old item until the new one arrives, and a failed refresh keeps the old item",
    arguments: ContractStage.allCases)
  func refresh(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>()
    try await withDetail(stage, service) { model in
      await model.load()
      try await service.calls.next().succeed(CatalogProduct(7, "old"))
      await model.settle()
      await model.refresh()
      let failing = try await service.calls.next()
      #expect(model.state.isRefreshing)
      #expect(model.state.content.value == CatalogProduct(7, "old"))
      failing.fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.content.value == CatalogProduct(7, "old"))
      #expect(model.state.refreshFailure as? ServiceError == .busy)
      await model.refresh()
      try await service.calls.next().succeed(CatalogProduct(7, "new"))
      await model.settle()
      #expect(model.state.content.value == CatalogProduct(7, "new"))
      #expect(model.state.refreshFailure == nil)
    }
  }

  @Test(
    "a refresh replaces a load in progress, and the late answer to the load is dropped",
    arguments: ContractStage.allCases)
  func refreshReplaces(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>(ignoringCancellation: true)
    try await withDetail(stage, service) { model in
      let load = await model.load()
      let stale = try await service.calls.next()
      await model.refresh()
      let call = try await service.calls.next()
      await stale.waitForCancellation()
      stale.succeed(CatalogProduct(666))
      call.succeed(CatalogProduct(7))
      await load.value
      #expect(model.state.content.value == CatalogProduct(7))
      await model.settle()
    }
  }

  @Test("a cancellation by the service is not a failure", arguments: ContractStage.inProcess)
  func serviceCancels(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>()
    try await withDetail(stage, service) { model in
      await model.load()
      try await service.calls.next().fail(CancellationError())
      await model.settle()
      #expect(model.state.content.isIdle)
    }
  }

  @Test(
    "the answer to a cancelled load is dropped, even during a new load",
    arguments: ContractStage.allCases)
  func lateAnswer(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>(ignoringCancellation: true)
    try await withDetail(stage, service) { model in
      await model.load()
      let late = try await service.calls.next()
      await model.cancel()
      await model.load()
      let call = try await service.calls.next()
      late.succeed(CatalogProduct(666))
      call.succeed(CatalogProduct(7))
      await model.settle()
      #expect(model.state.content.value == CatalogProduct(7))
    }
  }

  @Test(
    "a view model that is deallocated during a load cancels its request", arguments: ContractStage.allCases)
  func deallocatedWhileLoading(stage: ContractStage) async throws {
    let service = ScriptedDetailService<CatalogProduct>()
    let call = try await withDetail(stage, service) { model in
      await model.load()
      return try await service.calls.next()
    }
    await call.waitForCancellation()
  }

  private func withDetail<Result>(
    _ stage: ContractStage, _ service: ScriptedDetailService<CatalogProduct>,
    _ body: (any DetailDriver) async throws -> Result
  ) async throws -> Result {
    try await stage.check { tracker in
      let model = stage.makeDetail(itemID: 7, source: .search, service: service)
      tracker.track(model.subject)
      return try await body(model)
    }
  }
}

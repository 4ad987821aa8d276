import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of the detail screen, which shows one item, in every stage.
@Suite("Detail", .timeLimit(.minutes(1)))
struct DetailContract {
  @Test(
    "the first state names the item, and nothing is requested before the first load",
    arguments: MigrationStage.allCases)
  func firstState(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      let first = try await StateRecorder(model.states()).first { _ in true }
      #expect(first.itemID == 7)
      #expect(first.source == .search)
      #expect(first.content.isIdle)
      #expect(service.calls.requests.isEmpty)
    }
  }

  @Test("a load shows the loading state, then the item", arguments: MigrationStage.allCases)
  func load(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      let states = StateRecorder(model.states())
      await model.load()
      let call = try await service.calls.next()
      #expect(call.request == 7)
      try await states.first { $0.content.isLoading }
      call.succeed(Row(id: 7))
      try await states.first { $0.content.value == Row(id: 7) }
      #expect(model.state.content.value == Row(id: 7))
    }
  }

  @Test(
    "100 concurrent loads and a later one together make one request",
    arguments: MigrationStage.allCases)
  func loadOnce(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { await model.load() } }
      }
      let call = try await service.calls.next()
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { await model.load() } }
      }
      call.succeed(Row(id: 7))
      await model.settle()
      await model.load()
      await model.settle()
      #expect(service.calls.requests == [7])
      #expect(model.state.content.value == Row(id: 7))
    }
  }

  @Test("a load after a failure requests the item again", arguments: MigrationStage.allCases)
  func loadAfterFailure(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      await model.load()
      try await service.calls.next().fail(ServiceError.notFound("row 7"))
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .notFound("row 7"))

      await model.load()
      let again = try await service.calls.next()
      #expect(model.state.content.isLoading)
      again.succeed(Row(id: 7))
      await model.settle()
      #expect(model.state.content.value == Row(id: 7))
      #expect(service.calls.requests == [7, 7])
    }
  }

  @Test("a cancelled load restores the earlier state", arguments: MigrationStage.allCases)
  func cancel(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      await model.load()
      let first = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.isIdle)
      await first.waitForCancellation()

      await model.load()
      try await service.calls.next().fail(ServiceError.timedOut)
      await model.settle()
      await model.load()
      _ = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.error as? ServiceError == .timedOut)
    }
  }

  @Test(
    "a refresh keeps the old item until the new one arrives, even if the refresh fails",
    arguments: MigrationStage.allCases)
  func refresh(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      await model.load()
      try await service.calls.next().succeed(Row(id: 7, text: "old"))
      await model.settle()
      await model.refresh()
      let failing = try await service.calls.next()
      #expect(model.state.isRefreshing)
      #expect(model.state.content.value == Row(id: 7, text: "old"))
      failing.fail(ServiceError.timedOut)
      await model.settle()
      #expect(model.state.content.value == Row(id: 7, text: "old"))
      #expect(model.state.refreshFailure as? ServiceError == .timedOut)
      await model.refresh()
      try await service.calls.next().succeed(Row(id: 7, text: "new"))
      await model.settle()
      #expect(model.state.content.value == Row(id: 7, text: "new"))
      #expect(model.state.refreshFailure == nil)
    }
  }

  @Test(
    "a refresh replaces a load in progress, whose late answer is dropped", arguments: MigrationStage.allCases)
  func refreshReplaces(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>(ignoringCancellation: true)
    try await withDetail(stage, service) { model in
      let load = await model.load()
      let stale = try await service.calls.next()
      await model.refresh()
      let call = try await service.calls.next()
      await stale.waitForCancellation()
      stale.succeed(Row(id: 666))
      call.succeed(Row(id: 7))
      await load.value
      #expect(model.state.content.value == Row(id: 7))
      await model.settle()
    }
  }

  @Test("a cancellation by the service is not a failure", arguments: MigrationStage.allCases)
  func serviceCancels(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      await model.load()
      try await service.calls.next().fail(CancellationError())
      await model.settle()
      #expect(model.state.content.isIdle)
    }
  }

  @Test(
    "the answer to a cancelled load is dropped, even during a new load",
    arguments: MigrationStage.allCases)
  func lateAnswer(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>(ignoringCancellation: true)
    try await withDetail(stage, service) { model in
      await model.load()
      let late = try await service.calls.next()
      await model.cancel()
      await model.load()
      let call = try await service.calls.next()
      late.succeed(Row(id: 666))
      call.succeed(Row(id: 7))
      await model.settle()
      #expect(model.state.content.value == Row(id: 7))
    }
  }

  @Test(
    "a view model that is deallocated during a load cancels its request", arguments: MigrationStage.allCases)
  func deallocatedWhileLoading(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    let call = try await withDetail(stage, service) { model in
      await model.load()
      return try await service.calls.next()
    }
    await call.waitForCancellation()
  }

  private func withDetail<Result>(
    _ stage: MigrationStage, _ service: ScriptedDetailService<Row>,
    _ body: (any DetailDriver<Row>) async throws -> Result
  ) async throws -> Result {
    try await LeakTracker.check { tracker in
      let model = stage.makeDetail(itemID: 7, source: .search, service: service)
      tracker.track(model.subject)
      return try await body(model)
    }
  }
}

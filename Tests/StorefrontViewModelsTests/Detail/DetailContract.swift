import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the screen of one item promises, in every stage.
@Suite("Detail", .timeLimit(.minutes(1)))
struct DetailContract {
  @Test(
    "it knows from the beginning what it is about, and requests nothing before",
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

  @Test("a load shows that it loads, then the item", arguments: MigrationStage.allCases)
  func load(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      let states = StateRecorder(model.states())
      await model.loadIfNeeded()
      let call = try await service.calls.next()
      #expect(call.request == 7)
      try await states.first { $0.content.isLoading }
      call.succeed(Row(id: 7))
      try await states.first { $0.content.value == Row(id: 7) }
      #expect(model.state.content.value == Row(id: 7))
    }
  }

  @Test(
    "a hundred concurrent loads, and those that come later, make one request",
    arguments: MigrationStage.allCases)
  func loadOnce(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { await model.loadIfNeeded() } }
      }
      let call = try await service.calls.next()
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { await model.loadIfNeeded() } }
      }
      call.succeed(Row(id: 7))
      await model.settle()
      await model.loadIfNeeded()
      await model.settle()
      #expect(service.calls.requests == [7])
      #expect(model.state.content.value == Row(id: 7))
    }
  }

  @Test("an unknown id is an error that names it, and is asked for again", arguments: MigrationStage.allCases)
  func failureAndRetry(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      await model.loadIfNeeded()
      try await service.calls.next().fail(ServiceError.notFound("row 7"))
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .notFound("row 7"))

      await model.loadIfNeeded()
      let again = try await service.calls.next()
      #expect(model.state.content.isLoading)
      again.succeed(Row(id: 7))
      await model.settle()
      #expect(model.state.content.value == Row(id: 7))
      #expect(service.calls.requests == [7, 7])
    }
  }

  @Test("a load that is called off goes back to what was there before", arguments: MigrationStage.allCases)
  func cancel(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      await model.loadIfNeeded()
      let first = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.isIdle)
      await first.waitForCancellation()

      await model.loadIfNeeded()
      try await service.calls.next().fail(ServiceError.timedOut)
      await model.settle()
      await model.loadIfNeeded()
      _ = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.error as? ServiceError == .timedOut)
    }
  }

  @Test("a cancellation that nobody asked for is no failure", arguments: MigrationStage.allCases)
  func foreignCancellation(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    try await withDetail(stage, service) { model in
      await model.loadIfNeeded()
      try await service.calls.next().fail(CancellationError())
      await model.settle()
      #expect(model.state.content.isIdle)
    }
  }

  @Test(
    "the answer to a load that was called off is dropped, also beside a new one",
    arguments: MigrationStage.allCases)
  func lateAnswer(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>(ignoringCancellation: true)
    try await withDetail(stage, service) { model in
      await model.loadIfNeeded()
      let late = try await service.calls.next()
      await model.cancel()
      await model.loadIfNeeded()
      let call = try await service.calls.next()
      late.succeed(Row(id: 666))
      call.succeed(Row(id: 7))
      await model.settle()
      #expect(model.state.content.value == Row(id: 7))
    }
  }

  @Test("a screen that goes away cancels its request", arguments: MigrationStage.allCases)
  func goneWhileLoading(stage: MigrationStage) async throws {
    let service = ScriptedDetailService<Row>()
    let call = try await withDetail(stage, service) { model in
      await model.loadIfNeeded()
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

import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What a list that is loaded page by page promises, in every stage.
@Suite("List", .timeLimit(.minutes(1)))
struct ListContract {
  @Test(
    "the first state is idle, and nothing is requested before somebody asks",
    arguments: MigrationStage.allCases)
  func firstState(stage: MigrationStage) async throws {
    let service = ScriptedPageService<Row>()
    try await withList(stage, service) { model in
      let states = StateRecorder(model.states())
      let first = try await states.first { _ in true }
      #expect(first.content.isIdle)
      await model.loadNextPage()
      await model.retry()
      await model.settle()
      #expect(model.state.content.isIdle)
      #expect(service.calls.requests.isEmpty)
    }
  }

  @Test("a load shows that it loads, then the first page", arguments: MigrationStage.allCases)
  func load(stage: MigrationStage) async throws {
    let service = ScriptedPageService<Row>()
    try await withList(stage, service) { model in
      let states = StateRecorder(model.states())
      await model.load()
      let call = try await service.calls.next()
      #expect(call.request == PageRequest(index: 0, size: 2))
      #expect(model.state.content.isLoading)
      try await states.first { $0.content.isLoading }

      call.succeed(.rows(1...2))
      try await states.first { $0.content.value == .rows(1...2) }
      #expect(model.state.content.value == .rows(1...2))
      #expect(model.state.hasMore)
      #expect(model.state.underWay == nil)
    }
  }

  @Test("a list with nothing in it is empty", arguments: MigrationStage.allCases)
  func empty(stage: MigrationStage) async throws {
    let service = ScriptedPageService<Row>()
    try await withList(stage, service) { model in
      await model.load()
      try await service.calls.next().succeed(.rows([], isLast: true))
      await model.settle()
      #expect(model.state.content.isEmpty)
      #expect(!model.state.hasMore)
    }
  }

  @Test("a first page that failed can be retried, and loaded again", arguments: MigrationStage.allCases)
  func failureAndRetry(stage: MigrationStage) async throws {
    let service = ScriptedPageService<Row>()
    try await withList(stage, service) { model in
      await model.load()
      try await service.calls.next().fail(ServiceError.timedOut)
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .timedOut)

      await model.retry()
      let retried = try await service.calls.next()
      #expect(model.state.content.isLoading)
      retried.fail(ServiceError.unreachable("shop"))
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .unreachable("shop"))

      await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await model.settle()
      #expect(model.state.content.value == .rows(1...2))
      await model.retry()
      await model.settle()
      #expect(service.calls.requests.count == 3, "there is nothing left to retry")
    }
  }

  @Test("a hundred concurrent loads make one request", arguments: MigrationStage.allCases)
  func singleFlight(stage: MigrationStage) async throws {
    let service = ScriptedPageService<Row>()
    try await withList(stage, service) { model in
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { await model.load() } }
      }
      let call = try await service.calls.next()
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { await model.load() } }
      }
      call.succeed(.rows(1...2))
      await model.settle()
      #expect(model.state.content.value == .rows(1...2))

      await model.load()
      await model.settle()
      #expect(service.calls.requests.count == 1, "what is there is not loaded again")
    }
  }

  @Test(
    "an unasked-for cancellation is no failure: the former state comes back",
    arguments: MigrationStage.allCases)
  func foreignCancellation(stage: MigrationStage) async throws {
    let service = ScriptedPageService<Row>()
    try await withList(stage, service) { model in
      await model.load()
      try await service.calls.next().fail(CancellationError())
      await model.settle()
      #expect(model.state.content.isIdle)

      await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await model.settle()
      await model.refresh()
      try await service.calls.next().fail(URLError(.cancelled))
      await model.settle()
      #expect(model.state.content.value == .rows(1...2))
      #expect(model.state.refreshFailure == nil)
      #expect(model.state.underWay == nil)
    }
  }

  @Test("a list that goes away ends its streams", arguments: MigrationStage.allCases)
  func ownerEnd(stage: MigrationStage) async throws {
    guard stage != .closure else { return }  // a callback has no end: see the facts about the closure stage
    let service = ScriptedPageService<Row>()
    var states: StateRecorder<ListState<Row>>?
    try await withList(stage, service) { model in
      states = StateRecorder(model.states())
      await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await model.settle()
    }
    let seen = try await states?.waitForEnd()
    #expect(seen?.last?.items == .rows(1...2), "the last state first, then the end")
  }

  @Test("a list that goes away while it loads cancels its request", arguments: MigrationStage.allCases)
  func goneWhileLoading(stage: MigrationStage) async throws {
    let service = ScriptedPageService<Row>()
    let call = try await withList(stage, service) { model in
      await model.load()
      return try await service.calls.next()
    }
    await call.waitForCancellation()
  }
}

/// Makes the list of a stage, and checks that it goes away.
func withList<Item: Sendable & Identifiable, Result>(
  _ stage: MigrationStage, _ service: any PageService<Item> & PageClosureService<Item>, pageSize: Int = 2,
  _ body: (any ListDriver<Item>) async throws -> Result
) async throws -> Result where Item.ID: Sendable {
  try await LeakTracker.check { tracker in
    let model = stage.makeList(service: service, pageSize: pageSize)
    tracker.track(model.subject)
    return try await body(model)
  }
}

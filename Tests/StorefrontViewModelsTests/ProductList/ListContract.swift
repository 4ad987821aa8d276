import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of a paged list in every stage.
@Suite("List", .timeLimit(.minutes(5)), .endsWaits)
struct ListContract {
  @Test(
    "the first state is idle, and nothing is requested before the first load",
    arguments: ContractStage.allCases, Paging.allCases)
  func firstState(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
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

  @Test(
    "a load shows the loading state, then the first page", arguments: ContractStage.allCases, Paging.allCases)
  func load(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
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
      #expect(model.state.pendingRequest == nil)
    }
  }

  @Test("a list without items is empty", arguments: ContractStage.allCases, Paging.allCases)
  func empty(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
      await model.load()
      try await service.calls.next().succeed(.rows([], isLast: true))
      await model.settle()
      #expect(model.state.content.isEmpty)
      #expect(!model.state.hasMore)
    }
  }

  @Test(
    "a failed first page can be retried and loaded again", arguments: ContractStage.allCases, Paging.allCases)
  func failureAndRetry(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
      await model.load()
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .busy)

      await model.retry()
      let retried = try await service.calls.next()
      #expect(model.state.content.isLoading)
      retried.fail(ServiceError.status(code: 500, message: "broken"))
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .status(code: 500, message: "broken"))

      await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await model.settle()
      #expect(model.state.content.value == .rows(1...2))
      await model.retry()
      await model.settle()
      #expect(service.calls.requests.count == 3, "there is nothing left to retry")
    }
  }

  @Test("100 concurrent loads make one request", arguments: ContractStage.allCases, Paging.allCases)
  func singleFlight(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
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
      #expect(service.calls.requests.count == 1, "a loaded list is not loaded again")
    }
  }

  @Test(
    "a cancellation by the service is not a failure and restores the state from before the request",
    arguments: ContractStage.inProcess, Paging.allCases)
  func serviceCancels(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
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
      #expect(model.state.pendingRequest == nil)
    }
  }

  @Test(
    "streams yield the last state and end when the list is deallocated",
    arguments: ContractStage.streams, Paging.allCases)
  func ownerEnd(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    var states: StateRecorder<ProductListState>?
    try await withList(stage, paging, service) { model in
      states = StateRecorder(model.states())
      await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await model.settle()
    }
    let seen = try await states?.waitForEnd()
    #expect(seen?.last?.items == .rows(1...2), "the stream yields the last state before it ends")
  }

  @Test(
    "a list that is deallocated during a load cancels its request", arguments: ContractStage.allCases,
    Paging.allCases)
  func deallocatedWhileLoading(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    let call = try await withList(stage, paging, service) { model in
      await model.load()
      return try await service.calls.next()
    }
    await call.waitForCancellation()
  }
}

/// Creates the list's view model of a stage, and checks that it is deallocated.
func withList<Result>(
  _ stage: ContractStage, _ paging: Paging,
  _ service: any PageService<CatalogProduct> & PageClosureService<CatalogProduct>, pageSize: Int = 2,
  _ body: (any ListDriver) async throws -> Result
) async throws -> Result {
  try await stage.check { tracker in
    let model = stage.makeList(service: paging.service(service), pageSize: pageSize)
    tracker.track(model.subject)
    return try await body(model)
  }
}

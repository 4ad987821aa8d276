import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Refresh of a list in every stage.
@Suite("List: refresh", .timeLimit(.minutes(5)), .endsWaits)
struct ListRefreshContract {
  @Test(
    "a refresh keeps the old content until the new one arrives", arguments: ContractStage.allCases,
    Paging.allCases)
  func keepsContent(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withLoadedList(stage, paging, service) { model in
      await model.loadNextPage()
      try await service.calls.next().succeed(.rows(3...4, index: 1, isLast: true))
      await model.settle()
      await model.refresh()
      let refreshed = try await service.calls.next()
      #expect(refreshed.request.index == 0)
      #expect(model.state.content.value == .rows(1...4))
      #expect(model.state.isRefreshing)

      refreshed.succeed(.rows(5...6))
      await model.settle()
      #expect(model.state.content.value == .rows(5...6))
      #expect(!model.state.isRefreshing)
      #expect(model.state.hasMore, "paging starts over")
    }
  }

  @Test(
    "a failed refresh keeps the old content, shows the failure and can be retried",
    arguments: ContractStage.allCases, Paging.allCases)
  func failure(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withLoadedList(stage, paging, service) { model in
      await model.refresh()
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.content.value == .rows(1...2))
      #expect(model.state.refreshFailure as? ServiceError == .busy)

      await model.retry()
      let retried = try await service.calls.next()
      #expect(retried.request.index == 0)
      #expect(model.state.isRefreshing)
      #expect(model.state.refreshFailure == nil)
      retried.succeed(.rows(5...6))
      await model.settle()
      #expect(model.state.content.value == .rows(5...6))
      #expect(model.state.refreshFailure == nil)
    }
  }

  @Test(
    "a page that a refresh superseded is never published, even if the service ignores cancellation",
    arguments: ContractStage.allCases, Paging.allCases)
  func supersededPage(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>(ignoringCancellation: true)
    try await withList(stage, paging, service) { model in
      let states = StateRecorder(model.states(.unbounded))
      await model.load()
      let first = try await service.calls.next()
      await model.refresh()
      let second = try await service.calls.next()
      await first.waitForCancellation()
      second.succeed(.rows(1...2))
      first.succeed(.rows([666]))
      await model.settle()
      #expect(model.state.items == .rows(1...2))

      await model.loadNextPage()
      let next = try await service.calls.next()
      await model.refresh()
      let third = try await service.calls.next()
      await next.waitForCancellation()
      next.succeed(.rows([666], index: 1))
      third.succeed(.rows(3...4))
      await model.settle()
      #expect(model.state.items == .rows(3...4))
      try await states.first { $0.items == .rows(3...4) }
      #expect(!states.states.contains { $0.items.contains { $0.id == 666 } })
    }
  }

  @Test(
    "the failure of a request that a refresh superseded is dropped", arguments: ContractStage.allCases,
    Paging.allCases)
  func supersededFailure(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>(ignoringCancellation: true)
    try await withLoadedList(stage, paging, service) { model in
      await model.loadNextPage()
      let next = try await service.calls.next()
      await model.refresh()
      let refreshed = try await service.calls.next()
      refreshed.succeed(.rows(3...4))
      next.fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.items == .rows(3...4))
      #expect(model.state.nextPageFailure == nil)
    }
  }
}

/// Creates a list of a stage and loads its first page: the rows 1 and 2.
func withLoadedList(
  _ stage: ContractStage, _ paging: Paging, _ service: ScriptedPageService<CatalogProduct>,
  _ body: (any ListDriver) async throws -> Void
) async throws {
  try await withList(stage, paging, service) { model in
    await model.load()
    try await service.calls.next().succeed(.rows(1...2))
    await model.settle()
    try await body(model)
  }
}

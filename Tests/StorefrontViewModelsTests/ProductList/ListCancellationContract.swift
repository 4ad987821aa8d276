import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Cancellation of a list in every stage.
@Suite("List: cancel", .timeLimit(.minutes(5)), .endsWaits)
struct ListCancellationContract {
  @Test(
    "cancelling the first load restores the idle state", arguments: ContractStage.allCases, Paging.allCases)
  func firstLoad(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
      await model.load()
      let call = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.isIdle)
      #expect(model.state.pendingRequest == nil)
      await call.waitForCancellation()

      await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await model.settle()
      #expect(model.state.items == .rows(1...2), "a cancelled list can be loaded again")
    }
  }

  @Test("cancelling a refresh restores the old content", arguments: ContractStage.allCases, Paging.allCases)
  func refresh(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withLoadedList(stage, paging, service) { model in
      await model.refresh()
      let call = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.value == .rows(1...2))
      #expect(!model.state.isRefreshing)
      #expect(model.state.refreshFailure == nil)
      await call.waitForCancellation()
    }
  }

  @Test(
    "cancelling the load of the next page keeps the loaded pages", arguments: ContractStage.allCases,
    Paging.allCases)
  func nextPage(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withLoadedList(stage, paging, service) { model in
      await model.loadNextPage()
      let call = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.value == .rows(1...2))
      #expect(!model.state.isLoadingNextPage)
      #expect(model.state.hasMore)
      await call.waitForCancellation()

      await model.loadNextPage()
      let again = try await service.calls.next()
      #expect(again.request.index == 1)
      again.succeed(.rows(3...4, index: 1))
      await model.settle()
      #expect(model.state.items == .rows(1...4))
    }
  }

  @Test("cancelling a retry restores the failure", arguments: ContractStage.allCases, Paging.allCases)
  func retry(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
      await model.load()
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      await model.retry()
      let call = try await service.calls.next()
      await model.cancel()
      #expect(model.state.content.error as? ServiceError == .busy)
      await call.waitForCancellation()
    }
  }

  @Test(
    "after a cancel, a late answer is not published",
    arguments: ContractStage.allCases, Paging.allCases)
  func lateAnswer(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>(ignoringCancellation: true)
    try await withList(stage, paging, service) { model in
      let states = StateRecorder(model.states(.unbounded))
      await model.load()
      let late = try await service.calls.next()
      await model.cancel()
      late.succeed(.rows([666]))
      await model.settle()
      #expect(model.state.content.isIdle)

      await model.load()
      let call = try await service.calls.next()
      call.succeed(.rows(1...2))
      try await states.first { $0.items == .rows(1...2) }
      #expect(!states.states.contains { $0.items.contains { $0.id == 666 } })
    }
  }

  @Test(
    "a cancel, a load or a retry with nothing to do publishes nothing", arguments: ContractStage.allCases,
    Paging.allCases)
  func nothingToDo(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withLoadedList(stage, paging, service) { model in
      let states = StateRecorder(model.states(.unbounded))
      try await states.first { $0.items == .rows(1...2) }
      await model.cancel()
      await model.load()
      await model.retry()
      await model.loadNextPage()
      _ = try await service.calls.next()
      try await states.first { $0.isLoadingNextPage }
      #expect(states.states.count == 2)
    }
  }
}

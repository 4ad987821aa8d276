import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Refresh and cancellation of a catalog in every stage.
@Suite("Catalog: refresh and cancel", .timeLimit(.minutes(5)), .endsWaits)
struct CatalogRefreshContract {
  private let shown: [Page<CatalogProduct>] = [.rows([1, 2]), .rows([3, 4], index: 1, isLast: true)]

  @Test(
    "a refresh shows the old catalog until the new one is complete, and then provides their difference",
    arguments: ContractStage.allCases, Paging.allCases)
  func refresh(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      try await model.show(shown, service)
      let before = model.state
      await model.refresh()
      let first = try await service.calls.next()
      #expect(first.request.index == 0)
      #expect(model.state.isRefreshing)
      #expect(model.state.content.value == before.snapshot)
      first.succeed(.rows([4, 2], "new"))
      let second = try await service.calls.next()
      #expect(model.state.content.value == before.snapshot)
      second.succeed(.rows([1, 5], index: 1, isLast: true))
      await model.settle()

      let state = model.state
      #expect(!state.isRefreshing)
      #expect(state.sections == ["even": [4, 2], "odd": [1, 5]])
      #expect(state.difference.movedItems.count == 1)
      #expect(state.difference.deletedItems.map(\.id) == [3])
      #expect(state.difference.insertedItems.map(\.item.id) == [5])
      #expect(state.difference.reconfiguredItems.map(\.item.id) == [4, 2])
      #expect(try before.snapshot.applying(state.difference) == state.snapshot)
    }
  }

  @Test(
    "a failed refresh keeps the old catalog and shows the failure", arguments: ContractStage.allCases,
    Paging.allCases
  )
  func failure(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      try await model.show(shown, service)
      let before = model.state.snapshot
      await model.refresh()
      try await service.calls.next().succeed(.rows([8, 9]))
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.content.value == before)
      #expect(model.state.failure as? ServiceError == .busy)
      #expect(!model.state.isRefreshing)

      try await model.show([.rows([8, 9], isLast: true)], service)
      #expect(model.state.sections == ["even": [8], "odd": [9]])
      #expect(model.state.failure == nil)
    }
  }

  @Test(
    "a refresh supersedes the load in progress, even if the service ignores cancellation",
    arguments: ContractStage.allCases, Paging.allCases)
  func superseded(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging, ScriptedPageService(ignoringCancellation: true)) { model, service in
      let states = StateRecorder(model.states(.unbounded))
      await model.load()
      let first = try await service.calls.next()
      await model.refresh()
      let second = try await service.calls.next()
      await first.waitForCancellation()
      first.succeed(.rows([666]))
      second.succeed(.rows([1, 2], isLast: true))
      await model.settle()
      #expect(model.state.sections == ["even": [2], "odd": [1]])
      try await states.first { $0.isComplete }
      let sawStale = states.states.contains { $0.snapshot.item(666) != nil }
      #expect(!sawStale)
      #expect(service.calls.requests.count == 2, "the late answer does not request another page")
    }
  }

  @Test(
    "a cancelled load keeps the loaded pages, and the next load continues after them",
    arguments: ContractStage.allCases, Paging.allCases)
  func cancelledLoad(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging, ScriptedPageService(ignoringCancellation: true)) { model, service in
      await model.load()
      try await service.calls.next().succeed(.rows([1, 2]))
      let late = try await service.calls.next()
      await model.cancel()
      await late.waitForCancellation()
      late.succeed(.rows([666], index: 1))
      await model.settle()
      #expect(model.state.sections == ["even": [2], "odd": [1]])
      #expect(model.state.pendingRequest == nil)
      #expect(!model.state.isComplete)

      await model.load()
      let again = try await service.calls.next()
      #expect(again.request.index == 1)
      again.succeed(.rows([3], index: 1, isLast: true))
      await model.settle()
      #expect(model.state.sections == ["even": [2], "odd": [1, 3]])
    }
  }

  @Test("a cancelled refresh restores the earlier state", arguments: ContractStage.allCases, Paging.allCases)
  func cancelledRefresh(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      try await model.show(shown, service)
      let before = model.state.snapshot
      await model.refresh()
      try await service.calls.next().succeed(.rows([8, 9]))
      let call = try await service.calls.next()
      await model.cancel()
      await call.waitForCancellation()
      #expect(model.state.content.value == before)
      #expect(model.state.failure == nil)
      #expect(!model.state.isRefreshing)
      #expect(model.state.isComplete)
    }
  }

  @Test("a cancellation by the service is not a failure", arguments: ContractStage.inProcess, Paging.allCases)
  func serviceCancels(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      await model.load()
      try await service.calls.next().fail(CancellationError())
      await model.settle()
      #expect(model.state.content.isIdle)
      try await model.show(shown, service)
      await model.refresh()
      try await service.calls.next().fail(CancellationError())
      await model.settle()
      #expect(model.state.failure == nil)
      #expect(!model.state.isRefreshing)
      #expect(model.state.snapshot.itemCount == 4)
    }
  }

  @Test(
    "an observer that missed states can compute the difference to the newest state",
    arguments: ContractStage.allCases, Paging.allCases)
  func catchingUp(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      try await model.show(shown, service)
      let last = model.state
      try await model.show([.rows([2, 3], isLast: true)], service)
      let between = model.state
      try await model.show([.rows([3, 2], "new"), .rows([7], index: 1, isLast: true)], service)
      let newest = model.state

      #expect(try last.snapshot.applying(newest.difference(from: last)) == newest.snapshot)
      #expect(try between.snapshot.applying(newest.difference(from: between)) == newest.snapshot)
      #expect(newest.difference(from: newest).isEmpty)
      #expect(newest.difference(from: between).count == newest.difference.count)
      #expect(throws: MisfitChange.self) { try last.snapshot.applying(newest.difference) }
    }
  }
}

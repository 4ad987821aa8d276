import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import Testing

/// Cancellation of a list in every stage.
@Suite("List: cancel", .timeLimit(.minutes(5)), .endsWaits)
struct ListCancellationContract {
  @Test(
    "a cancelled first load or retry restores the earlier state, and its late answer is dropped",
    arguments: ContractStage.allCases, Paging.allCases)
  func firstPage(stage: ContractStage, paging: Paging) async throws {
    try await withProbedList(stage, paging, isLoaded: false, ignoringCancellation: true) { list in
      await list.model.load()
      try await cancel(list.request(0) { $0.isLoading = true }, list)
      await list.model.load()
      try await list.request(0) { $0.isLoading = true }.fail(ServiceError.busy)
      try await list.states.expect { $0 = .init(failure: .busy) }
      await list.model.retry()
      try await cancel(list.request(0) { $0 = .init(isLoading: true) }, list) { $0 = .init(failure: .busy) }
    }
  }

  @Test(
    "a cancelled refresh or next page keeps the content, and its late answer is dropped",
    arguments: ContractStage.allCases, Paging.allCases)
  func laterPage(stage: ContractStage, paging: Paging) async throws {
    try await withProbedList(stage, paging, ignoringCancellation: true) { list in
      // Nothing is to do.
      await list.model.cancel()
      await list.model.load()
      await list.model.retry()
      await list.model.refresh()
      try await cancel(list.request(0) { $0.isRefreshing = true }, list)
      await list.model.loadNextPage()
      try await cancel(list.request(1) { $0.isLoadingNextPage = true }, list)
      await list.model.loadNextPage()
      try await list.request(1) { $0.isLoadingNextPage = true }.succeed(.rows(3...4, index: 1))
      try await list.states.expect { $0 = .init(items: .rows(1...4), hasMore: true) }
    }
  }

  /// Cancels the load of a request, and answers the request too late. By default, the screen only stops to show the load.
  private func cancel(
    _ late: ScriptedCall<PageRequest, Page<CatalogProduct>>, _ list: ProbedList,
    restoring change: (inout ProbedList.Shown) -> Void = {
      ($0.isLoading, $0.isRefreshing, $0.isLoadingNextPage) = (false, false, false)
    }
  ) async throws {
    await list.model.cancel()
    try await list.states.expect(change)
    await late.waitForCancellation()
    late.succeed(.rows([666]))
  }
}

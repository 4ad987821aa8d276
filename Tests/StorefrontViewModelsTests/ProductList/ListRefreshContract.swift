import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import Testing

/// Refresh of a list in every stage.
@Suite("List: refresh", .timeLimit(.minutes(5)), .endsWaits)
struct ListRefreshContract {
  @Test(
    "a refresh keeps the old content until the new one arrives, also after a failure",
    arguments: ContractStage.allCases, Paging.allCases)
  func keepsContent(stage: ContractStage, paging: Paging) async throws {
    try await withProbedList(stage, paging) { list in
      await list.model.loadNextPage()
      try await list.request(1) { $0.isLoadingNextPage = true }.succeed(.rows(3...4, index: 1, isLast: true))
      try await list.states.expect { $0 = .init(items: .rows(1...4)) }
      await list.model.refresh()
      try await list.request(0) { $0.isRefreshing = true }.fail(ServiceError.busy)
      try await list.states.expect { $0 = .init(items: .rows(1...4), failure: .busy) }
      await list.model.retry()
      try await list.request(0) { $0 = .init(items: .rows(1...4), isRefreshing: true) }.succeed(.rows(5...6))
      // Paging starts over.
      try await list.states.expect { $0 = .init(items: .rows(5...6), hasMore: true) }
    }
  }

  @Test(
    "the answer to a request that a refresh superseded is dropped, even if the service ignores cancellation",
    arguments: ContractStage.allCases, Paging.allCases)
  func superseded(stage: ContractStage, paging: Paging) async throws {
    try await withProbedList(stage, paging, ignoringCancellation: true) { list in
      await list.model.loadNextPage()
      let page = try await list.request(1) { $0.isLoadingNextPage = true }
      await list.model.refresh()
      let first = try await list.request(0) { ($0.isRefreshing, $0.isLoadingNextPage) = (true, false) }
      await page.waitForCancellation()
      await list.model.refresh()
      let second = try await list.request(0) { $0.isRefreshing = true }
      await first.waitForCancellation()
      page.fail(ServiceError.busy)
      first.succeed(.rows([666]))
      second.succeed(.rows(3...4))
      try await list.states.expect { $0 = .init(items: .rows(3...4), hasMore: true) }
    }
  }
}

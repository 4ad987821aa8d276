import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Loading of the pages after the first one, in every stage.
@Suite("List: paging", .timeLimit(.minutes(5)), .endsWaits)
struct ListPagingContract {
  @Test(
    "pages are loaded one at a time to the end, and none is requested after the last one",
    arguments: ContractStage.allCases, Paging.allCases)
  func paging(stage: ContractStage, paging: Paging) async throws {
    try await withProbedList(stage, paging) { list in
      for index in 1...3 {
        await list.model.loadNextPage()
        let call = try await list.request(index) { $0.isLoadingNextPage = true }
        await list.model.loadNextPage()
        await list.model.load()
        let last = 2 * index + 2
        call.succeed(.rows((last - 1)...last, index: index, isLast: index == 3))
        try await list.states.expect { $0 = .init(items: .rows(1...last), hasMore: index < 3) }
      }
      await list.model.loadNextPage()
      await list.model.refresh()
      let refreshed = try await list.request(0) { $0.isRefreshing = true }
      await list.model.loadNextPage()
      await list.model.load()
      refreshed.succeed(.rows(1...2))
      try await list.states.expect { $0 = .init(items: .rows(1...2), hasMore: true) }
    }
  }

  @Test(
    "a failed next page can be retried, and replaces an item that the service returns twice",
    arguments: ContractStage.allCases, Paging.allCases)
  func nextPageFailure(stage: ContractStage, paging: Paging) async throws {
    try await withProbedList(stage, paging) { list in
      await list.model.loadNextPage()
      try await list.request(1) { $0.isLoadingNextPage = true }.fail(ServiceError.busy)
      try await list.states.expect { ($0.isLoadingNextPage, $0.nextPageFailure) = (false, .busy) }
      await list.model.retry()
      try await list.request(1) { ($0.isLoadingNextPage, $0.nextPageFailure) = (true, nil) }
        .succeed(.rows([2, 3], "new", index: 1))
      try await list.states.expect { $0 = .init(items: .rows([1]) + .rows([2, 3], "new"), hasMore: true) }
      await list.model.loadNextPage()
      try await list.request(2) { $0.isLoadingNextPage = true }.succeed(
        .rows([4, 4], index: 2, isLast: true))
      try await list.states.expect { $0 = .init(items: .rows([1]) + .rows([2, 3], "new") + .rows([4])) }
    }
  }

  @Test(
    "a page is added in place: the items that the list has are not copied",
    arguments: ContractStage.native.filter { $0.stage.updatesInPlace })
  func inPlace(stage: ContractStage) async throws {
    let service = AnsweringPageService(rows: .rows(0..<400))
    try await withList(stage, .number, service, pageSize: 100) { model in
      await model.load().value
      for _ in 0..<2 { await model.loadNextPage().value }
      // The storage doubles if it is full. So after the third page, it has room for the fourth.
      let address = model.state.items.address
      await model.loadNextPage().value
      #expect(model.state.items == .rows(0..<400))
      #expect(model.state.items.address == address)
    }
  }
}

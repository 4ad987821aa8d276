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
    "pages are loaded one by one to the end, and none is requested after the last one",
    arguments: ContractStage.allCases, Paging.allCases)
  func paging(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
      await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await model.settle()
      for index in 1...3 {
        await model.loadNextPage()
        let call = try await service.calls.next()
        #expect(call.request == PageRequest(index: index, size: 2))
        #expect(model.state.isLoadingNextPage)
        #expect(model.state.content.value == .rows(1...(2 * index)))
        call.succeed(.rows((2 * index + 1)...(2 * index + 2), index: index, isLast: index == 3))
        await model.settle()
      }
      #expect(model.state.content.value == .rows(1...8))
      #expect(!model.state.hasMore)

      await model.loadNextPage()
      await model.settle()
      #expect(service.calls.requests.map(\.index) == [0, 1, 2, 3])
    }
  }

  @Test(
    "the next page is not requested while any page is loading", arguments: ContractStage.allCases,
    Paging.allCases)
  func oneAtATime(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
      await model.load()
      let first = try await service.calls.next()
      await model.loadNextPage()
      first.succeed(.rows(1...2))
      await model.settle()
      #expect(service.calls.requests.map(\.index) == [0])

      await model.loadNextPage()
      let next = try await service.calls.next()
      await model.loadNextPage()
      await model.load()
      next.succeed(.rows(3...4, index: 1))
      await model.settle()
      #expect(service.calls.requests.map(\.index) == [0, 1])

      await model.refresh()
      let refreshed = try await service.calls.next()
      await model.loadNextPage()
      await model.load()
      refreshed.succeed(.rows(1...2))
      await model.settle()
      #expect(service.calls.requests.map(\.index) == [0, 1, 0])
    }
  }

  @Test(
    "an item that the service returns twice is replaced, not duplicated", arguments: ContractStage.allCases,
    Paging.allCases)
  func shiftedList(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service, pageSize: 3) { model in
      await model.load()
      try await service.calls.next().succeed(.rows([1, 2, 1], "old"))
      await model.settle()
      #expect(model.state.items == .rows(1...2, "old"))

      await model.loadNextPage()
      try await service.calls.next().succeed(.rows([2, 3], "new", index: 1))
      await model.settle()
      let rows: [CatalogProduct] = .rows([1], "old") + .rows([2, 3], "new")
      #expect(model.state.items == rows)
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

  @Test(
    "a failed next page keeps the loaded pages and can be retried", arguments: ContractStage.allCases,
    Paging.allCases)
  func nextPageFailure(stage: ContractStage, paging: Paging) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, paging, service) { model in
      await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await model.settle()
      await model.loadNextPage()
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.nextPageFailure as? ServiceError == .busy)
      #expect(model.state.content.value == .rows(1...2))
      #expect(model.state.hasMore)

      await model.retry()
      let retried = try await service.calls.next()
      #expect(retried.request.index == 1)
      #expect(model.state.nextPageFailure == nil)
      retried.succeed(.rows(3...4, index: 1, isLast: true))
      await model.settle()
      #expect(model.state.content.value == .rows(1...4))
      #expect(model.state.nextPageFailure == nil)
    }
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of a list in every stage if the cursor of the next page has expired.
@Suite("List: expired cursors", .timeLimit(.minutes(5)), .endsWaits)
struct ListCursorContract {
  private let expired = PageError.expired(PageCursor(rawValue: "a+/="))

  @Test(
    "after a cursor has expired, the list keeps its items, and a retry loads it from the start",
    arguments: ContractStage.allCases)
  func list(stage: ContractStage) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await withList(stage, .number, service) { model in
      await model.load()
      try await service.calls.next().succeed(Page(.rows(1...2), cursor: "a+/="))
      await model.settle()
      await model.loadNextPage()
      let next = try await service.calls.next()
      #expect(next.request == PageRequest(cursor: "a+/=", size: 2))
      next.fail(expired)
      await model.settle()
      #expect(model.state.nextPageFailure as? PageError == expired)
      #expect(model.state.content.value == .rows(1...2))
      #expect(!model.state.hasMore)

      await model.loadNextPage()
      await model.settle()
      #expect(service.calls.requests.count == 2, "the same request would fail again")

      await model.retry()
      let first = try await service.calls.next()
      #expect(first.request == PageRequest(size: 2))
      #expect(model.state.isRefreshing)
      #expect(model.state.content.value == .rows(1...2), "the items stay until the answer")
      await model.cancel()
      #expect(model.state.nextPageFailure as? PageError == expired, "a cancelled retry restores the failure")

      await model.retry()
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.refreshFailure as? ServiceError == .busy)
      #expect(model.state.content.value == .rows(1...2))
      await model.retry()
      try await service.calls.next().succeed(Page(.rows(4...5), cursor: "b"))
      await model.settle()
      #expect(model.state.content.value == .rows(4...5))
      #expect(model.state.nextPageFailure == nil && model.state.refreshFailure == nil)
      #expect(model.state.hasMore)
    }
  }
}

import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of a catalog in every stage if the cursor of the next page has expired.
@Suite("Catalog: expired cursors", .timeLimit(.minutes(5)), .endsWaits)
struct CatalogCursorContract {
  private let expired = PageError.expired(PageCursor(rawValue: "a+/="))

  @Test(
    "after a cursor has expired, the next load of a catalog replaces it when it is complete",
    arguments: ContractStage.allCases)
  func catalog(stage: ContractStage) async throws {
    try await withCatalog(stage) { model, service in
      await model.load()
      try await service.calls.next().succeed(Page(.rows(1...2), cursor: "a+/="))
      try await service.calls.next().fail(expired)
      await model.settle()
      #expect(model.state.failure as? PageError == expired)
      #expect(model.state.sections == ["odd": [1], "even": [2]])
      #expect(!model.state.isComplete)

      await model.load()
      let first = try await service.calls.next()
      #expect(first.request == PageRequest(size: 2))
      #expect(model.state.isRefreshing)
      first.succeed(Page(.rows(3...4), cursor: "b"))
      let second = try await service.calls.next()
      #expect(second.request == PageRequest(cursor: "b", size: 2))
      #expect(model.state.sections == ["odd": [1], "even": [2]])
      second.succeed(Page(.rows([5]), cursor: nil))
      await model.settle()
      #expect(model.state.sections == ["odd": [3, 5], "even": [4]])
      #expect(model.state.failure == nil && model.state.isComplete)
    }
  }

  @Test("a cursor that expires during a refresh keeps the old catalog", arguments: ContractStage.allCases)
  func refreshedCatalog(stage: ContractStage) async throws {
    try await withCatalog(stage) { model, service in
      await model.load()
      try await service.calls.next().succeed(Page(.rows(1...2), cursor: nil))
      await model.settle()
      await model.refresh()
      try await service.calls.next().succeed(Page(.rows(3...4), cursor: "a+/="))
      try await service.calls.next().fail(expired)
      await model.settle()
      #expect(model.state.failure as? PageError == expired)
      #expect(model.state.sections == ["odd": [1], "even": [2]])
      #expect(model.state.isComplete && !model.state.isRefreshing)
      await model.load()
      await model.settle()
      #expect(service.calls.requests.count == 3, "a complete catalog is not loaded again")
    }
  }
}

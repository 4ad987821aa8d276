import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The pages of the hits in every stage.
@Suite("Search: pages", .timeLimit(.minutes(5)), .endsWaits)
struct SearchPagingContract {
  private let cursor = "ö+&=/ 1"

  @Test(
    "the next page begins at the cursor of the page before, and each hit is shown once",
    arguments: ContractStage.allCases)
  func nextPage(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withHits(stage, service) { model, _ in
      #expect(service.calls.requests == [SearchCall("tea", page: PageRequest(size: 2))])
      #expect(model.state.hasMore)
      let states = StateRecorder(model.states())
      let load = model.loadNextPage()
      let call = try await service.calls.next()
      #expect(call.request == SearchCall("tea", page: PageRequest(cursor: cursor, size: 2)))
      #expect(model.state.isLoadingNextPage && !model.state.isSearching)
      #expect(model.state.results.value == ["1", "2"], "the hits stay while the next page loads")
      try await states.first { $0.isLoadingNextPage }

      call.succeed(Page([TextHit("2", version: 1), "3"], cursor: nil))
      await load.value
      #expect(model.state.results.value == ["1", TextHit("2", version: 1), "3"])
      #expect(!model.state.hasMore && !model.state.isLoadingNextPage)
      await model.loadNextPage().value
      #expect(service.calls.requests.count == 2, "there is no page after the last one")
    }
  }

  @Test("a service that pages by number is asked for numbers", arguments: ContractStage.inProcess)
  func numbers(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    let first = Page<TextHit>(items: ["1", "2"], index: 0, isLast: false)
    try await withHits(stage, service, first) { model, _ in
      let load = model.loadNextPage()
      let call = try await service.calls.next()
      #expect(call.request == SearchCall("tea", page: PageRequest(index: 1, size: 2)))
      call.succeed(Page(items: ["3"], index: 1, isLast: true))
      await load.value
      #expect(model.state.results.value == ["1", "2", "3"])
    }
  }

  /// What ends the load of a next page.
  enum Interruption: CaseIterable { case query, submit, cancel, clear }

  @Test(
    "a new query, a submit, a cancel and an empty query cancel the next page, and its answer is never shown",
    arguments: ContractStage.allCases, Interruption.allCases)
  func interrupted(stage: ContractStage, interruption: Interruption) async throws {
    let service = ScriptedSearchService<TextHit>(ignoringCancellation: true)
    try await withHits(stage, service) { model, clock in
      let states = StateRecorder(model.states(.unbounded))
      model.loadNextPage()
      let late = try await service.calls.next()
      switch interruption {
      case .query: model.setQuery("teapot")
      case .submit: model.submit()
      case .cancel: model.cancel()
      case .clear: model.setQuery(" ")
      }
      await late.waitForCancellation()
      late.succeed(Page(["late"], cursor: "late"))
      #expect(!model.state.isLoadingNextPage)
      #expect(model.state.results.value == (interruption == .clear ? nil : ["1", "2"]))
      switch interruption {
      case .query:
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(300))
      case .submit: break
      case .cancel, .clear:
        #expect(model.state.hasMore == (interruption == .cancel))
        #expect(!model.state.isSearching)
        model.setQuery("last")
        model.submit()
      }
      try await service.calls.next().succeed(["fresh"])
      await model.settle()
      try await states.first { $0.results.value == ["fresh"] }
      #expect(!model.state.hasMore)
      #expect(!states.states.contains { $0.results.value?.contains("late") == true })
    }
  }

  @Test(
    "typing the query of the hits again does not disturb their next page", arguments: ContractStage.allCases)
  func sameQuery(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withHits(stage, service) { model, clock in
      let load = model.loadNextPage()
      let call = try await service.calls.next()
      model.setQuery(" tea ")
      #expect(model.state.isLoadingNextPage && !call.isCancelled)
      #expect(clock.sleeperCount == 0)
      call.succeed(["3"])
      await load.value
      #expect(model.state.results.value == ["1", "2", "3"])
      #expect(service.calls.requests.count == 2)
    }
  }

  @Test("a failed next page keeps the hits and can be retried", arguments: ContractStage.allCases)
  func failure(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withHits(stage, service) { model, _ in
      model.loadNextPage()
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.nextPageFailure as? ServiceError == .busy)
      #expect(model.state.results.value == ["1", "2"])
      #expect(model.state.hasMore)
      model.setQuery("tea ")
      #expect(!model.state.isSearching, "the query has been answered")

      let retry = model.retry()
      let call = try await service.calls.next()
      #expect(call.request.page == PageRequest(cursor: cursor, size: 2))
      #expect(model.state.nextPageFailure == nil && model.state.isLoadingNextPage)
      model.cancel()
      await retry.value
      #expect(model.state.nextPageFailure as? ServiceError == .busy, "a cancelled retry restores the failure")

      model.loadNextPage()
      try await service.calls.next().succeed(["3"])
      await model.settle()
      #expect(model.state.results.value == ["1", "2", "3"])
      #expect(model.state.nextPageFailure == nil)
      await model.retry().value
      #expect(service.calls.requests.count == 4, "there is nothing left to retry")
    }
  }

  @Test(
    "after a cursor has expired, the hits stay, and a retry searches again in their place",
    arguments: ContractStage.allCases)
  func expired(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withHits(stage, service) { model, _ in
      model.loadNextPage()
      let expired = PageError.expired(PageCursor(rawValue: cursor))
      try await service.calls.next().fail(expired)
      await model.settle()
      #expect(model.state.nextPageFailure as? PageError == expired)
      #expect(model.state.results.value == ["1", "2"])
      #expect(!model.state.hasMore)
      await model.loadNextPage().value
      #expect(service.calls.requests.count == 2, "the same request would fail again")

      let retry = model.retry()
      let call = try await service.calls.next()
      #expect(call.request == SearchCall("tea", page: PageRequest(size: 2)))
      #expect(model.state.results.value == ["1", "2"], "the hits stay until the answer")
      call.succeed(Page(["5"], cursor: "next"))
      await retry.value
      #expect(model.state.results.value == ["5"])
      #expect(model.state.nextPageFailure == nil && model.state.hasMore)
    }
  }

  @Test("a failed search can be retried without a pause", arguments: ContractStage.allCases)
  func failedSearch(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service, pageSize: 2) { model, clock in
      await model.retry().value
      try await ask("tea", model, service, clock).fail(ServiceError.busy)
      try await until { model.state.results.error != nil }
      await model.loadNextPage().value
      let retry = model.retry()
      let call = try await service.calls.next()
      #expect(call.request == SearchCall("tea", page: PageRequest(size: 2)))
      #expect(model.state.isSearching && model.state.results.isLoading)
      call.succeed(["1"])
      await retry.value
      #expect(model.state.results.value == ["1"])
      #expect(service.calls.requests.count == 2)
    }
  }

  @Test(
    "during a search, a next page and a retry do nothing, and their callers do not wait",
    arguments: ContractStage.allCases)
  func duringASearch(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withHits(stage, service) { model, clock in
      model.loadNextPage()
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      await type("teapot", into: model, clock)
      await model.loadNextPage().value
      await model.retry().value
      clock.advance(by: .milliseconds(300))
      let call = try await service.calls.next()
      await model.loadNextPage().value
      await model.retry().value
      #expect(service.calls.requests.count == 3)
      #expect(model.state.isSearching && !call.isCancelled)
      call.succeed(["pot"])
      try await until { model.state.results.value == ["pot"] }
    }
  }

  @Test("a next page or a retry with nothing to request publishes nothing", arguments: ContractStage.allCases)
  func nothingToDo(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withHits(stage, service) { model, _ in
      let states = StateRecorder(model.states(.unbounded))
      try await states.first { _ in true }
      await model.retry().value
      let load = model.loadNextPage()
      let call = try await service.calls.next()
      model.loadNextPage()
      model.retry()
      call.succeed(["3"])
      await load.value
      await model.loadNextPage().value
      await model.retry().value
      try await states.first { $0.results.value == ["1", "2", "3"] }
      #expect(states.states.count == 3, "the first state, the load and the answer")
    }
  }

  @Test("100 concurrent calls load the next page once", arguments: ContractStage.allCases)
  func singleFlight(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withHits(stage, service) { model, _ in
      await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { _ = model.loadNextPage() } }
      }
      try await service.calls.next().succeed(Page(["3"], cursor: "next"))
      await model.settle()
      #expect(model.state.results.value == ["1", "2", "3"])
      #expect(service.calls.requests.count == 2)
    }
  }

  @Test("the callers of a next page wait for the search that replaces it", arguments: ContractStage.allCases)
  func callers(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withHits(stage, service) { model, _ in
      let load = model.loadNextPage()
      _ = try await service.calls.next()
      let submit = model.submit()
      try await service.calls.next().succeed(["new"])
      await load.value
      #expect(model.state.results.value == ["new"])
      await submit.value
    }
  }

  @Test("a search that is deallocated cancels the load of its next page", arguments: ContractStage.allCases)
  func ownerEnd(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    var call: ScriptedCall<SearchCall, Page<TextHit>>?
    try await withHits(stage, service) { model, _ in
      model.loadNextPage()
      call = try await service.calls.next()
    }
    await call?.waitForCancellation()
  }

  /// Creates a search that shows the first page of "tea": the hits "1" and "2".
  private func withHits(
    _ stage: ContractStage, _ service: ScriptedSearchService<TextHit>, _ first: Page<TextHit>? = nil,
    _ body: Clocked<TextHit>
  ) async throws {
    try await withSearch(stage, service, pageSize: 2) { model, clock in
      model.setQuery("tea")
      let search = model.submit()
      try await service.calls.next().succeed(first ?? Page(["1", "2"], cursor: cursor))
      await search.value
      try await body(model, clock)
    }
  }
}

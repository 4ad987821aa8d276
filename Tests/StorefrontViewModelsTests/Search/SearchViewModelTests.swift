import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The async stage of a search: cancelled callers.
@Suite("Search, async stage", .timeLimit(.minutes(5)), .endsWaits)
struct SearchViewModelTests {
  @Test("a typed query is searched for without callers, but a repeated search ends with its last caller")
  func lastCaller() async throws {
    let service = ScriptedSearchService<TextHit>(ignoringCancellation: true)
    try await withSearch(.async, service) { model, _ in
      model.setQuery("tea")
      let caller = model.submit()
      let call = try await service.calls.next()
      caller.cancel()
      await caller.value
      #expect(model.state.isSearching)
      #expect(!call.isCancelled)
      call.succeed(["green tea"])
      try await until { model.state.results.value == ["green tea"] }

      let last = model.submit()
      let late = try await service.calls.next()
      last.cancel()
      await last.value
      #expect(!model.state.isSearching)
      #expect(late.isCancelled)
    }
  }

  @Test("the load of a next page ends with its last caller, and keeps the hits")
  func lastCallerOfAPage() async throws {
    let service = ScriptedSearchService<TextHit>(ignoringCancellation: true)
    try await withSearch(.async, service) { model, _ in
      model.setQuery("tea")
      let search = model.submit()
      try await service.calls.next().succeed(Page(["1"], cursor: "a"))
      await search.value
      let (first, last) = (model.loadNextPage(), model.retry())
      let call = try await service.calls.next()
      first.cancel()
      await first.value
      #expect(model.state.isLoadingNextPage && !call.isCancelled)
      last.cancel()
      await last.value
      #expect(call.isCancelled)
      #expect(!model.state.isLoadingNextPage && model.state.hasMore)
      #expect(model.state.results.value == ["1"])
    }
  }
}

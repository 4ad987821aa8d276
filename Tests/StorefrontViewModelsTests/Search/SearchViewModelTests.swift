import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The async stage of a search: cancelled callers.
@Suite("Search, async stage", .timeLimit(.minutes(5)))
struct SearchViewModelTests {
  @Test("a typed query is searched for without callers, but a repeated search ends with its last caller")
  func lastCaller() async throws {
    let service = ScriptedSearchService<String>(ignoringCancellation: true)
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
}

import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of the search in every stage.
@Suite("Search", .timeLimit(.minutes(5)), .endsWaits)
struct SearchContract {
  @Test(
    "the service is called once, with the last text, after 300 ms without typing",
    arguments: ContractStage.allCases)
  func debounce(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service) { model, clock in
      for text in ["s", "sw", "swi"] {
        await type(text, into: model, clock)
        clock.advance(by: .milliseconds(299))
      }
      await clock.waitForSleepers(1)
      #expect(service.calls.requests.isEmpty)
      #expect(model.state.isSearching)
      #expect(model.state.results.isLoading)

      clock.advance(by: .milliseconds(1))
      let call = try await service.calls.next()
      let states = StateRecorder(model.states())
      call.succeed(["swift"])
      try await states.first { $0.results.value == ["swift"] }
      #expect(service.calls.requests == ["swi"])
      #expect(!model.state.isSearching)
    }
  }

  @Test("the latest query wins, and a stale answer is never published", arguments: ContractStage.allCases)
  func staleAnswer(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>(ignoringCancellation: true)
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states(.unbounded))
      let first = try await ask("old", model, service, clock)
      let second = try await ask("new", model, service, clock)
      await first.waitForCancellation()
      first.succeed(["stale"])
      second.succeed(["fresh"])
      try await states.first { $0.results.value == ["fresh"] }
      let third = try await ask("newest", model, service, clock)
      second.fail(ServiceError.busy)
      third.succeed(["freshest"])
      try await states.first { $0.results.value == ["freshest"] }
      #expect(!states.states.map(\.results.value).contains(["stale"]))
    }
  }

  @Test("a newer query cancels the request in progress", arguments: ContractStage.allCases)
  func superseded(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service) { model, clock in
      let first = try await ask("a", model, service, clock)
      model.setQuery("ab")
      await first.waitForCancellation()
      #expect(model.state.isSearching)
      #expect(model.state.query == "ab")
    }
  }

  @Test("a query that differs only in white space is not requested again", arguments: ContractStage.allCases)
  func sameText(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states())
      let call = try await ask("swift", model, service, clock)
      model.setQuery(" swift  ")
      call.succeed(["hit"])
      try await states.first { $0.results.value == ["hit"] }
      model.setQuery("swift ")
      #expect(!model.state.isSearching)
      await type("swiftly", into: model, clock)
      model.setQuery("swift")
      #expect(!model.state.isSearching)
      #expect(model.state.results.value == ["hit"])
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test("an intent that changes nothing publishes no state", arguments: ContractStage.allCases)
  func unchanged(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states(.unbounded))
      model.submit()
      model.cancel()
      model.setQuery("")
      let call = try await ask("a", model, service, clock)
      model.setQuery("a")
      call.succeed(["hit"])
      try await states.first { $0.results.value == ["hit"] }
      model.setQuery("a")
      model.cancel()
      model.setQuery("")
      model.setQuery("")
      model.submit()
      model.setQuery("b")
      try await states.first { $0.query == "b" }
      #expect(states.states.map(\.query) == ["", "a", "a", "", "b"])
    }
  }

  @Test("an empty query resets the search and cancels the request", arguments: ContractStage.allCases)
  func emptyQuery(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>(ignoringCancellation: true)
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states(.unbounded))
      try await ask("a", model, service, clock).succeed(["hit"])
      try await states.first { $0.results.value == ["hit"] }
      let call = try await ask("ab", model, service, clock)
      model.setQuery("  ")
      await call.waitForCancellation()
      call.succeed(["stale"])
      #expect(model.state.results.isIdle)
      #expect(!model.state.isSearching)
      try await ask("b", model, service, clock).succeed([])
      try await states.first { $0.results.isEmpty }
      #expect(!states.states.map(\.results.value).contains(["stale"]))
    }
  }

  @Test("clearing the query removes the failure of the search", arguments: ContractStage.allCases)
  func clearedFailure(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states())
      try await ask("a", model, service, clock).fail(ServiceError.busy)
      try await states.first { $0.results.error != nil }
      model.setQuery("")
      #expect(model.state.results.isIdle)
    }
  }

  @Test("a query that is cleared and typed again is searched for again", arguments: ContractStage.allCases)
  func typedAgain(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states())
      try await ask("a", model, service, clock).succeed(["hit"])
      try await states.first { $0.results.value == ["hit"] }
      model.setQuery("")
      #expect(model.state.results.isIdle)
      model.setQuery("a")
      try #require(model.state.isSearching)
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(300))
      try await service.calls.next().succeed(["again"])
      try await states.first { $0.results.value == ["again"] }
      #expect(service.calls.requests == ["a", "a"])
    }
  }

  @Test("earlier hits stay until newer ones arrive", arguments: ContractStage.allCases)
  func keepsHits(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states())
      try await ask("a", model, service, clock).succeed(["hit"])
      try await states.first { $0.results.value == ["hit"] }
      let call = try await ask("ab", model, service, clock)
      #expect(model.state.results.value == ["hit"])
      #expect(model.state.isSearching)
      call.succeed([])
      try await states.first { $0.results.isEmpty }
    }
  }

  @Test("after a failure, the same text can be requested again", arguments: ContractStage.allCases)
  func failure(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states())
      try await ask("a", model, service, clock).fail(ServiceError.busy)
      let failed = try await states.first { $0.results.error != nil }
      #expect(failed.results.error as? ServiceError == .busy)
      // The same text is requested again, after typing and after a submit.
      try await ask("a ", model, service, clock).fail(ServiceError.busy)
      try await states.first { !$0.isSearching && $0.query == "a " }
      model.submit()
      try await service.calls.next().succeed(["hit"])
      try await states.first { $0.results.value == ["hit"] }
    }
  }

  @Test("a submit calls the service at once", arguments: ContractStage.allCases)
  func submit(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    try await withSearch(stage, service) { model, clock in
      model.submit()
      #expect(!model.state.isSearching, "an empty query is not searched for")
      await type("R&B + soul = 50%?", into: model, clock)
      model.submit()
      let call = try await service.calls.next()
      #expect(call.request == "R&B + soul = 50%?")
      #expect(clock.sleeperCount == 0)
      clock.advance(by: .seconds(1))
      let states = StateRecorder(model.states())
      call.succeed(["hit"])
      try await states.first { $0.results.value == ["hit"] }
      #expect(service.calls.requests.count == 1)
    }
  }

  @Test(
    "after a cancel, a late answer is not published, and the earlier answer stays",
    arguments: ContractStage.allCases)
  func cancel(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>(ignoringCancellation: true)
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states(.unbounded))
      try await ask("a", model, service, clock).succeed(["hit"])
      try await states.first { $0.results.value == ["hit"] }
      let call = try await ask("ab", model, service, clock)
      model.cancel()
      await call.waitForCancellation()
      call.succeed(["late"])
      #expect(model.state.results.value == ["hit"])
      #expect(!model.state.isSearching)

      await type("abc", into: model, clock)
      model.cancel()
      #expect(clock.sleeperCount == 0)
      try await ask("b", model, service, clock).succeed(["last"])
      try await states.first { $0.results.value == ["last"] }
      #expect(!states.states.map(\.results.value).contains(["late"]))
      #expect(service.calls.requests == ["a", "ab", "b"])
    }
  }

  @Test("a search that is deallocated cancels its request or its timer", arguments: ContractStage.allCases)
  func ownerEnd(stage: ContractStage) async throws {
    let service = ScriptedSearchService<TextHit>()
    var call: ScriptedCall<SearchCall, Page<TextHit>>?
    try await withSearch(stage, service) { model, clock in call = try await ask("a", model, service, clock) }
    await call?.waitForCancellation()

    var last: VirtualClock?
    try await withSearch(stage, service) { model, clock in
      await type("a", into: model, clock)
      last = clock
    }
    #expect(last?.sleeperCount == 0)
  }

  @Test("streams end when the search is deallocated", arguments: ContractStage.streams)
  func streamsEnd(stage: ContractStage) async throws {
    var states: StateRecorder<SearchState<TextHit>>?
    try await withSearch(stage, ScriptedSearchService<TextHit>()) { model, _ in
      states = StateRecorder(model.states())
    }
    try await states?.waitForEnd()
  }
}

typealias Clocked<Hit: Sendable & Identifiable> = (any SearchDriver<Hit>, VirtualClock) async throws -> Void

/// Creates the search's view model of a stage, and checks that it is deallocated.
func withSearch<Hit: WireHit>(
  _ stage: ContractStage, _ service: ScriptedSearchService<Hit>, pageSize: Int = 50, _ body: Clocked<Hit>
) async throws {
  try await stage.check { tracker in
    let clock = VirtualClock()
    let model = stage.makeSearch(service: service, clock: clock, pageSize: pageSize)
    tracker.track(model.subject)
    try await body(model, clock)
  }
}

/// Types a text and waits until the debounce delay has begun.
func type(_ text: String, into model: any SearchDriver<TextHit>, _ clock: VirtualClock) async {
  model.setQuery(text)
  await clock.waitForSleepers(1)
}

/// Types a text, advances the clock by the debounce delay, and returns the call to the service.
func ask(
  _ text: String, _ model: any SearchDriver<TextHit>, _ service: ScriptedSearchService<TextHit>,
  _ clock: VirtualClock
) async throws -> ScriptedCall<SearchCall, Page<TextHit>> {
  await type(text, into: model, clock)
  clock.advance(by: .milliseconds(300))
  return try await service.calls.next()
}

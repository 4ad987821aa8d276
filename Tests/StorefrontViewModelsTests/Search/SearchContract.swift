import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of the search in every stage.
@Suite("Search", .timeLimit(.minutes(1)))
struct SearchContract {
  @Test(
    "the service is called once, with the last text, after 300 ms without typing",
    arguments: MigrationStage.allCases)
  func debounce(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>()
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

  @Test("the latest query wins, and a stale answer is never published", arguments: MigrationStage.allCases)
  func staleAnswer(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>(ignoringCancellation: true)
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states(.unbounded))
      let first = try await ask("old", model, service, clock)
      let second = try await ask("new", model, service, clock)
      await first.waitForCancellation()
      first.succeed(["stale"])
      second.succeed(["fresh"])
      try await states.first { $0.results.value == ["fresh"] }
      let third = try await ask("newest", model, service, clock)
      second.fail(ServiceError.timedOut)
      third.succeed(["freshest"])
      try await states.first { $0.results.value == ["freshest"] }
      #expect(!states.states.map(\.results.value).contains(["stale"]))
    }
  }

  @Test("a newer query cancels the request in progress", arguments: MigrationStage.allCases)
  func superseded(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>()
    try await withSearch(stage, service) { model, clock in
      let first = try await ask("a", model, service, clock)
      model.setQuery("ab")
      await first.waitForCancellation()
      #expect(model.state.isSearching)
      #expect(model.state.query == "ab")
    }
  }

  @Test("a query that differs only in white space is not requested again", arguments: MigrationStage.allCases)
  func sameText(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>()
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

  @Test("an empty query resets the search and cancels the request", arguments: MigrationStage.allCases)
  func emptyQuery(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>(ignoringCancellation: true)
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

  @Test("a query that is cleared and typed again is searched for again", arguments: MigrationStage.allCases)
  func typedAgain(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>()
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

  @Test("earlier hits stay until newer ones arrive", arguments: MigrationStage.allCases)
  func keepsHits(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>()
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

  @Test("after a failure, the same text can be requested again", arguments: MigrationStage.allCases)
  func failure(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>()
    try await withSearch(stage, service) { model, clock in
      let states = StateRecorder(model.states())
      try await ask("a", model, service, clock).fail(ServiceError.timedOut)
      let failed = try await states.first { $0.results.error != nil }
      #expect(failed.results.error as? ServiceError == .timedOut)
      // The same text is requested again, after typing and after a submit.
      try await ask("a ", model, service, clock).fail(ServiceError.timedOut)
      try await states.first { !$0.isSearching && $0.query == "a " }
      model.submit()
      try await service.calls.next().succeed(["hit"])
      try await states.first { $0.results.value == ["hit"] }
    }
  }

  @Test("a submit calls the service at once", arguments: MigrationStage.allCases)
  func submit(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>()
    try await withSearch(stage, service) { model, clock in
      model.submit()
      #expect(!model.state.isSearching, "an empty query is not searched for")
      await type("swift", into: model, clock)
      model.submit()
      let call = try await service.calls.next()
      #expect(call.request == "swift")
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
    arguments: MigrationStage.allCases)
  func cancel(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>(ignoringCancellation: true)
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

  @Test("a search that is deallocated cancels its request or its timer", arguments: MigrationStage.allCases)
  func ownerEnd(stage: MigrationStage) async throws {
    let service = ScriptedSearchService<String>()
    var call: ScriptedCall<String, [String]>?
    try await withSearch(stage, service) { model, clock in call = try await ask("a", model, service, clock) }
    await call?.waitForCancellation()

    var last: VirtualClock?
    try await withSearch(stage, service) { model, clock in
      await type("a", into: model, clock)
      last = clock
    }
    #expect(last?.sleeperCount == 0)
  }

  @Test("streams end when the search is deallocated", arguments: [MigrationStage.stream, .async])
  func streamsEnd(stage: MigrationStage) async throws {
    var states: StateRecorder<SearchState<String>>?
    try await withSearch(stage, ScriptedSearchService<String>()) { model, _ in
      states = StateRecorder(model.states())
    }
    try await states?.waitForEnd()
  }
}

typealias Clocked<Hit: Sendable> = (any SearchDriver<Hit>, VirtualClock) async throws -> Void

/// Creates the search's view model of a stage, and checks that it is deallocated.
func withSearch<Hit>(
  _ stage: MigrationStage, _ service: ScriptedSearchService<Hit>, _ body: Clocked<Hit>
) async throws {
  try await LeakTracker.check { tracker in
    let clock = VirtualClock()
    let model = stage.makeSearch(service: service, clock: clock)
    tracker.track(model.subject)
    try await body(model, clock)
  }
}

/// Types a text and waits until the debounce delay has begun.
func type(_ text: String, into model: any SearchDriver<String>, _ clock: VirtualClock) async {
  model.setQuery(text)
  await clock.waitForSleepers(1)
}

/// Types a text, advances the clock by the debounce delay, and returns the call to the service.
func ask(
  _ text: String, _ model: any SearchDriver<String>, _ service: ScriptedSearchService<String>,
  _ clock: VirtualClock
) async throws -> ScriptedCall<String, [String]> {
  await type(text, into: model, clock)
  clock.advance(by: .milliseconds(300))
  return try await service.calls.next()
}

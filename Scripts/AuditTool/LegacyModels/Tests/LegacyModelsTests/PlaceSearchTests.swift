import Testing

@testable import PlaceSearch

@Suite("place search: a work item, a cache and request ids", .timeLimit(.minutes(5)))
struct PlaceSearchTests {
  private final class Client: PlacesClient {
    let searches = Requests<String, Result<[Place], Error>>()

    func places(matching text: String, completion: @escaping (Result<[Place], Error>) -> Void) {
      searches.add(text, completion)
    }
  }

  private static func found(_ names: String...) -> Result<[Place], Error> {
    .success(names.map { Place(name: $0, city: "Berlin") })
  }

  @Test("a pause in typing starts one search")
  func pause() async throws {
    try await inAnyOrder { world in
      let client = Client()
      let screen = PlaceSearchScreen(viewModel: PlaceSearchViewModel(client: client))
      await world.onMain { screen.type("zo") }
      try await world.pass(.milliseconds(200))
      await world.onMain { screen.type("Zoo ") }
      try await world.pass(.milliseconds(299))
      world.expectEqual(client.searches.inputs, [])
      try await world.pass(.milliseconds(1))
      world.expectEqual(client.searches.inputs, ["zoo"])
      await world.onService { client.searches.answer(0, Self.found("Zoo", "Zoo Palast")) }
      world.expectEqual(screen.drawn, ["searching", "hint: none", "done", "[Zoo Zoo Palast]"])
    }
  }

  @Test("the answer to an older search is ignored")
  func staleAnswer() async throws {
    try await inAnyOrder { world in
      let client = Client()
      let screen = PlaceSearchScreen(viewModel: PlaceSearchViewModel(client: client))
      await world.onMain { screen.type("zoo") }
      try await world.pass(.milliseconds(300))
      await world.onMain { screen.type("dom") }
      try await world.pass(.milliseconds(300))
      await world.onService { client.searches.answer(1, Self.found("Dom")) }
      await world.onService { client.searches.answer(0, Self.found("Zoo")) }
      world.expectEqual(screen.drawn, ["searching", "hint: none", "done", "[Dom]"])
    }
  }

  @Test("the legacy code still shows an answer that arrives during the next pause")
  func answerDuringPause() async throws {
    try await inAnyOrder { world in
      let client = Client()
      let screen = PlaceSearchScreen(viewModel: PlaceSearchViewModel(client: client))
      await world.onMain { screen.type("zoo") }
      try await world.pass(.milliseconds(300))
      await world.onMain { screen.type("dom") }
      await world.onService { client.searches.answer(0, Self.found("Zoo")) }
      world.expectEqual(screen.drawn.last, "[Zoo]")
      try await world.pass(.milliseconds(300))
      await world.onService { client.searches.answer(1, Self.found()) }
      world.expectEqual(screen.drawn.suffix(3), ["done", "[]", "hint: Nothing found"])
    }
  }

  @Test("a known text needs no second search, until the search is cleared")
  func cache() async throws {
    try await inAnyOrder { world in
      let client = Client()
      let screen = PlaceSearchScreen(viewModel: PlaceSearchViewModel(client: client))
      await world.onMain { screen.type("zoo") }
      try await world.pass(.milliseconds(300))
      await world.onService { client.searches.answer(0, Self.found("Zoo")) }
      await world.onMain { screen.type("zoos") }
      await world.onMain { screen.type("zoo") }
      try await world.pass(.seconds(1))
      world.expectEqual(client.searches.inputs, ["zoo"])
      world.expectEqual(screen.drawn.suffix(2), ["[Zoo]", "[Zoo]"])
      await world.onMain { screen.didTapClear() }
      await world.onMain { screen.type("zoo") }
      try await world.pass(.milliseconds(300))
      world.expectEqual(client.searches.inputs, ["zoo", "zoo"])
    }
  }

  @Test("a short text ends the search")
  func shortText() async throws {
    try await inAnyOrder { world in
      let client = Client()
      let screen = PlaceSearchScreen(viewModel: PlaceSearchViewModel(client: client))
      await world.onMain { screen.type("zoo") }
      try await world.pass(.milliseconds(300))
      await world.onMain { screen.type("z") }
      await world.onService { client.searches.answer(0, Self.found("Zoo")) }
      world.expectEqual(
        screen.drawn, ["searching", "hint: none", "done", "[]", "hint: Type at least 2 letters"])
      await world.onMain { screen.type("zoo") }
      await world.onMain { screen.type("") }
      try await world.pass(.seconds(1))
      world.expectEqual(client.searches.inputs, ["zoo"])
    }
  }

  @Test("a failed search shows a hint, and is not remembered")
  func failure() async throws {
    try await inAnyOrder { world in
      let client = Client()
      let screen = PlaceSearchScreen(viewModel: PlaceSearchViewModel(client: client))
      for (index, error) in [PlacesError.rateLimited as Error, ServiceError()].enumerated() {
        await world.onMain { screen.type("zoo") }
        try await world.pass(.milliseconds(300))
        await world.onService { client.searches.answer(index, .failure(error)) }
      }
      world.expectEqual(
        screen.drawn,
        [
          "searching", "hint: none", "done", "hint: Too many searches. Wait a moment.", "searching",
          "hint: none", "done", "hint: No connection",
        ])
    }
  }
}

import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let threadSafety = Probe(
    "thread safety", "8 writers, 250 adds each", wanted: .exactly(0, of: 2_000, "lost")
  ) { stage in
    let (writers, each) = (8, 250)
    let cart = stage.makeCart()
    try await withThrowingTaskGroup { group in
      for _ in 0..<writers {
        group.addTask { for _ in 0..<each { try await cart.add(.plenty, quantity: 1) } }
      }
      try await group.waitForAll()
    }
    return [writers * each - cart.state.cart.itemCount]
  }

  static let debounce = Probe(
    "debounce", "10 words of 20 keys, one per 100 ms of virtual time, and a pause of 300 ms after each",
    wanted: .exactly(10, of: 200, "keys requested"), .exactly(0, of: 10, "too early")
  ) { stage in
    let (service, clock) = (ScriptedSearchService<TextHit>(), VirtualClock())
    let search = stage.makeSearch(service: service, clock: clock)
    var early = 0
    for word in 1...10 {
      for key in 1...20 {
        clock.advance(by: .milliseconds(100))
        search.setQuery("\(word)" + String(repeating: "x", count: key))
        await clock.waitForSleepers(1)
      }
      clock.advance(by: .milliseconds(299))
      if service.calls.requests.count >= word { early += 1 }
      clock.advance(by: .milliseconds(1))
      try await service.calls.next().succeed(["hit"])
    }
    return [service.calls.requests.count, early]
  }

  static let staleResults = Probe(
    "stale results", "200 superseded searches; the service ignores cancellation and answers all of them",
    wanted: .exactly(0, of: 200, "shown")
  ) { stage in
    let service = ScriptedSearchService<TextHit>(ignoringCancellation: true)
    let search = stage.makeSearch(service: service, clock: VirtualClock())
    let observer = StateRecorder(search.states(.unbounded))
    var calls: [ScriptedCall<SearchCall, Page<TextHit>>] = []
    for number in 1...201 {
      search.setQuery("query \(number)")
      search.submit()
      calls.append(try await service.calls.next())
    }
    // Half of the late answers arrive before the current one, and half of them after it.
    for call in calls[..<100] { call.succeed([TextHit(call.request.query)]) }
    calls[200].succeed([TextHit(calls[200].request.query)])
    try await observer.first { $0.results.value == ["query 201"] }
    for call in calls[100..<200] { call.succeed([TextHit(call.request.query)]) }
    // The answer to one more query arrives behind all of them.
    search.setQuery("the end")
    search.submit()
    try await service.calls.next().succeed(["the end"])
    try await observer.first { $0.results.value == ["the end"] }
    let current: [[TextHit]] = [["query 201"], ["the end"]]
    return [Set(observer.states.compactMap(\.results.value)).subtracting(current).count]
  }

  static let parallelLoads = Probe(
    "parallel loads", "a dashboard of three parts, one of which fails",
    wanted: .exactly(3, of: 3, "in flight together")
  ) { stage in
    [try await partsInFlight(stage)]
  }

  /// How many parts of a dashboard are requested before one is answered. Returns 0 unless the dashboard shows two parts and
  /// one failure.
  private static func partsInFlight(_ stage: MigrationStage) async throws -> Int {
    let profile = ScriptedProfileService()
    let orders = ScriptedOrderService()
    let recommendations = ScriptedRecommendationService()
    let dashboard = stage.makeDashboard(profile: profile, orders: orders, recommendations: recommendations)
    let load = await dashboard.load()
    let calls = (
      try await profile.calls.next(), try await orders.calls.next(), try await recommendations.calls.next()
    )
    let together = dashboard.state.loadingParts.count
    calls.2.succeed([.plenty])
    calls.1.fail(ServiceError.timedOut)
    calls.0.succeed(Profile(id: 1, name: "Ada", email: "ada@example.com"))
    await load.value
    let state = dashboard.state
    guard state.profile.value != nil, state.recommendations.value != nil, state.failures.keys.first == .orders
    else { return 0 }
    return together
  }
}

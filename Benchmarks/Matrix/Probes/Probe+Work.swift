import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let threadSafety = Probe(
    "thread safety", "8 writers, 250 adds each; and the types that are `@unchecked Sendable`"
  ) { stage in
    let (writers, each) = (8, 250)
    let cart = stage.makeCart()
    try await withThrowingTaskGroup { group in
      for _ in 0..<writers {
        group.addTask { for _ in 0..<each { try await cart.add(.plenty, quantity: 1) } }
      }
      try await group.waitForAll()
    }
    let lost = writers * each - cart.state.cart.itemCount
    let tree = try SourceTree()
    let unchecked = tree.lines(of: stage).count { $0.contains("@unchecked Sendable") }
    let verdict: Finding.Verdict = lost > 0 ? .fails : unchecked > 0 ? .limited : .works
    return Finding(verdict, "\(lost) of 2,000 lost, \(unchecked) of \(tree.features.count) unchecked")
  }

  static let deadlocks = Probe(
    "deadlocks", "the places in the sources that wait for a queue, and deadlock if they run on it"
  ) { stage in
    let waits = try SourceTree().lines(of: stage).count { $0.contains("queue.sync") }
    return Finding(waits == 0 ? .works : .limited, Quantity.count(waits, "place"))
  }

  static let debounce = Probe(
    "debounce", "10 words of 20 keys, one per 100 ms of virtual time, and a pause of 300 ms after each"
  ) { stage in
    let (service, clock) = (ScriptedSearchService<String>(), VirtualClock())
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
    let requests = service.calls.requests.count
    return Finding(requests == 10 && early == 0 ? .works : .fails, "\(requests) requests for 200 keys")
  }

  static let staleResults = Probe(
    "stale results", "200 superseded searches; the service ignores cancellation and answers all of them"
  ) { stage in
    let service = ScriptedSearchService<String>(ignoringCancellation: true)
    let search = stage.makeSearch(service: service, clock: VirtualClock())
    let observer = StateRecorder(search.states())
    var calls: [ScriptedCall<String, [String]>] = []
    for number in 1...201 {
      search.setQuery("query \(number)")
      search.submit()
      calls.append(try await service.calls.next())
    }
    for call in calls.dropLast() { call.succeed([call.request]) }
    calls[200].succeed([calls[200].request])
    try await observer.first { $0.results.value == ["query 201"] }
    let stale = observer.states.compactMap(\.results.value).count { $0 != ["query 201"] }
    return Finding(stale == 0 ? .works : .fails, "\(stale) of 200 shown")
  }

  static let parallelCoordination = Probe(
    "parallel coordination", "a dashboard of three parts, one of which fails; 64 parts, at most 8 at once"
  ) { stage in
    let together = try await partsInFlight(stage)
    let peak = try await peakOfParts(stage, count: 64, limit: 8)
    let verdict: Finding.Verdict = together < 3 ? .fails : peak > 8 ? .limited : .works
    return Finding(verdict, "\(together) of 3 together, \(peak) of 64 at once")
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

  /// How many of `count` parts run at once with the tools of the stage, if the caller wants at most `limit` at once.
  private static func peakOfParts(_ stage: MigrationStage, count: Int, limit: Int) async throws -> Int {
    let script = ScriptedCalls<Int, Int>()
    guard stage == .async else {
      // A completion group counts calls in flight, and limits nothing.
      let (group, done) = (CompletionGroup(), Gate())
      let tokens = (1...count).map { part in
        let entry = group.enter()
        return script(part) { _ in entry.leave() }
      }
      let peak = script.requests.count
      group.notify(on: .global()) { done.open() }
      for _ in tokens { try await script.next().succeed(0) }
      await done.wait()
      return peak
    }
    let parts = (1...count).map { part in NamedTask(part) { try await script(part) } }
    async let run: Void = parts.runConcurrently(limit: limit) { _, _ in }
    var (open, peak) = ([ScriptedCall<Int, Int>](), 0)
    for answered in 0..<count {
      while open.count < min(limit, count - answered) { open.append(try await script.next()) }
      peak = max(peak, script.requests.count - answered)
      open.removeFirst().succeed(0)
    }
    try await run
    return peak
  }
}

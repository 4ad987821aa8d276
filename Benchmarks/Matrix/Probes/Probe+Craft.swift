import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let testability = Probe(
    "testability",
    "10 key strokes that a test holds back and runs in its own order, without a simulated world"
  ) { stage in
    let held = try await intentsHeld(stage)
    return Finding(held == 10 ? .works : .limited, "\(held) of 10 held")
  }

  private static func intentsHeld(_ stage: MigrationStage) async throws -> Int {
    let (storefront, clock, callbacks) = (
      TracedStorefront(), VirtualClock(), DispatchQueue(label: "callbacks")
    )
    let strokes = (1...10).map(String.init)
    func held(_ state: SearchState<SearchHit>) -> Int { 10 - (Int(state.query) ?? 0) }
    switch stage {
    case .closure:
      let search = SearchClosureViewModel(service: storefront, scheduler: clock, callbackQueue: callbacks)
      callbacks.suspend()
      defer { callbacks.resume() }
      for query in strokes { search.setQuery(query) }
      return held(search.state)
    case .stream:
      let search = SearchStreamViewModel(service: storefront, scheduler: clock)
      for query in strokes { search.setQuery(query) }
      return held(search.state)
    case .async:
      let host = HeldIsolation()
      let search = SearchViewModel(service: storefront, clock: clock, isolation: host)
      var (arrivals, typed) = (host.arrivals.makeAsyncIterator(), [Task<Void, Never>]())
      for query in strokes {
        typed.append(Task { await search.setQuery(query) })
        _ = await arrivals.next()
      }
      let held = search.state.query.isEmpty ? host.heldCount : 0
      host.releaseBackwards()
      for stroke in typed { await stroke.value }
      // The test ran the first stroke last.
      return search.state.query == "1" ? held : 0
    }
  }

  static let debugging = Probe(
    "debugging", "the trace of a caller, a task-local value: the requests of 6 that log it"
  ) { stage in
    let known = try await requestsTraced(stage)
    return Finding(known == 6 ? .works : known > 0 ? .limited : .fails, "\(known) of 6 traced")
  }

  private static func requestsTraced(_ stage: MigrationStage) async throws -> Int {
    let storefront = TracedStorefront()
    let requests = StateRecorder(storefront.requests)
    let list = stage.makeList(service: storefront, pageSize: 10)
    let search = stage.makeSearch(service: storefront, clock: VirtualClock())
    let cart = stage.makeCart(service: storefront)
    let dashboard = stage.makeDashboard(profile: storefront, orders: storefront, recommendations: storefront)
    try await TracedStorefront.$trace.withValue(7) {
      await list.load()
      await search.setQuery("a")
      await search.submit()
      try await cart.add(.plenty, quantity: 1)
      await dashboard.load().value
    }
    return try await requests.waitForStates(6).count { $0 == 7 }
  }

  static let linesOfCode = Probe(
    "lines of code", "the files of the view models without comments; the shared rules are not counted"
  ) { stage in
    let tree = try SourceTree()
    let counts = MigrationStage.allCases.map { tree.lines(of: $0).count }
    let count = tree.lines(of: stage).count
    return Finding(
      count == counts.min() ? .works : .limited,
      "\(count.grouped) for \(Quantity.count(tree.features.count, "feature"))")
  }
}

import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let testability = Probe(
    "testability",
    "the loads of 10 lists that a test holds back and runs in its own order, without a simulated world"
  ) { stage in
    let held = try await loadsHeld(stage)
    return Finding(held == 10 ? .works : .limited, "\(held) of 10 held")
  }

  private static func loadsHeld(_ stage: MigrationStage) async throws -> Int {
    let (service, host) = (ScriptedPageService<Product>(), HeldIsolation())
    guard stage == .async else {
      let lists = (1...10).map { _ in stage.makeList(service: service, pageSize: 10) }
      for list in lists { await list.load() }
      // Each load begins on a queue that the test cannot hold back.
      for list in lists { try await StateRecorder(list.states()).first { $0.pendingRequest != nil } }
      return lists.count { $0.state.pendingRequest == nil }
    }
    let lists = (1...10).map { _ in ProductListViewModel(service: service, isolation: host) }
    var (arrivals, loads) = (host.arrivals.makeAsyncIterator(), [Task<Void, Never>]())
    for list in lists {
      loads.append(Task { await list.load() })
      _ = await arrivals.next()
    }
    var held = 0
    for list in lists.reversed() where list.state.pendingRequest == nil {
      host.releaseNewest()
      if list.state.pendingRequest != nil { held += 1 }
    }
    let others = Task { for await _ in host.arrivals { host.releaseNewest() } }
    for load in loads { load.cancel() }
    for load in loads { await load.value }
    others.cancel()
    return held
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
      search.setQuery("a")
      search.submit()
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

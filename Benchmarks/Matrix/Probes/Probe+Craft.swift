import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let testability = Probe(
    "testability",
    "10 lists, and a test that decides which load starts next and which answer comes next; on Linux, "
      + "a simulation can decide both in every stage",
    wanted: .exactly(10, of: 10, "starts decided"), .exactly(10, of: 10, "answers decided")
  ) { stage in
    [try await startsDecided(stage), try await answersDecided(stage)]
  }

  private static func startsDecided(_ stage: MigrationStage) async throws -> Int {
    let (service, isolation) = (ScriptedPageService<CatalogProduct>(), HeldIsolation())
    guard stage == .async else {
      let lists = (1...10).map { _ in stage.makeList(service: service, pageSize: 10) }
      for list in lists { await list.load() }
      // Each load begins on a queue that the test cannot hold back.
      for list in lists { try await StateRecorder(list.states()).first { $0.pendingRequest != nil } }
      return lists.count { $0.state.pendingRequest == nil }
    }
    let lists = (1...10).map { _ in ProductListViewModel(service: service, isolation: isolation) }
    var (arrivals, loads) = (isolation.arrivals.makeAsyncIterator(), [Task<Void, Never>]())
    for list in lists {
      loads.append(Task { await list.load() })
      _ = await arrivals.next()
    }
    var held = 0
    for list in lists.reversed() where list.state.pendingRequest == nil {
      isolation.releaseNewest()
      if list.state.pendingRequest != nil { held += 1 }
    }
    let others = Task { for await _ in isolation.arrivals { isolation.releaseNewest() } }
    for load in loads { load.cancel() }
    for load in loads { await load.value }
    others.cancel()
    return held
  }

  private static func answersDecided(_ stage: MigrationStage) async throws -> Int {
    let services = (1...10).map { _ in ScriptedPageService<CatalogProduct>() }
    let lists = services.map { stage.makeList(service: $0, pageSize: 10) }
    var calls: [ScriptedCall<PageRequest, Page<CatalogProduct>>] = []
    for (list, service) in zip(lists, services) {
      await list.load()
      calls.append(try await service.calls.next())
    }
    var decided = 0
    for index in lists.indices.reversed() {
      calls[index].succeed(Page(items: [.plenty], index: 0, isLast: true))
      try await StateRecorder(lists[index].states()).first { $0.content.value != nil }
      if lists[..<index].allSatisfy({ $0.state.pendingRequest != nil }) { decided += 1 }
    }
    return decided
  }

  static let tracing = Probe(
    "tracing", "a task-local value that the caller of an intent sets, and 6 requests that log it",
    wanted: .exactly(6, of: 6, "traced")
  ) { stage in
    let requests = try await TracedStorefront.$trace.withValue(7) { try await tracedRequests(stage) }
    return [requests.count { $0.trace == 7 }]
  }

  static let callerOnStack = Probe(
    "caller on the stack",
    "the same 6 requests: those that start on the stack or in the task of the caller, where a debugger "
      + "shows the caller; what it records about queues and tasks does not count",
    wanted: .exactly(6, of: 6, "with the caller")
  ) { stage in
    [try await tracedRequests(stage).count(where: \.isInCaller)]
  }

  /// Calls intents that send six requests, and returns the requests.
  private static func tracedRequests(_ stage: MigrationStage) async throws -> [TracedStorefront.Request] {
    let (storefront, callbacks) = (TracedStorefront(), DispatchQueue(label: "callbacks"))
    let (requests, clock) = (StateRecorder(storefront.requests), VirtualClock())
    switch stage {
    case .closure:
      let list = ProductListClosureViewModel(service: storefront, callbackQueue: callbacks)
      let search = SearchClosureViewModel(service: storefront, scheduler: clock, callbackQueue: callbacks)
      let cart = CartClosureViewModel(service: storefront, callbackQueue: callbacks)
      let dashboard = DashboardClosureViewModel(
        profile: storefront, orders: storefront, recommendations: storefront, callbackQueue: callbacks)
      list.load()
      search.setQuery("a")
      search.submit()
      cart.add(.plenty)
      dashboard.load()
      // Keeps the view models until their requests have arrived: a released view model cancels its request.
      try await requests.waitForStates(6)
      withExtendedLifetime((list, search, cart, dashboard)) {}
    case .stream:
      let list = ProductListStreamViewModel(service: storefront, callbackQueue: callbacks)
      let search = SearchStreamViewModel(service: storefront, scheduler: clock, callbackQueue: callbacks)
      let cart = CartStreamViewModel(service: storefront, callbackQueue: callbacks)
      let dashboard = DashboardStreamViewModel(
        profile: storefront, orders: storefront, recommendations: storefront, callbackQueue: callbacks)
      list.load()
      search.setQuery("a")
      search.submit()
      cart.add(.plenty)
      dashboard.load()
      try await requests.waitForStates(6)
      withExtendedLifetime((list, search, cart, dashboard)) {}
    case .async:
      await ProductListViewModel(service: storefront).load()
      let search = SearchViewModel(service: storefront, clock: clock)
      search.setQuery("a")
      await search.submit()
      try await CartViewModel(service: storefront).add(.plenty)
      await DashboardViewModel(profile: storefront, orders: storefront, recommendations: storefront).load()
    }
    return try await requests.waitForStates(6)
  }
}

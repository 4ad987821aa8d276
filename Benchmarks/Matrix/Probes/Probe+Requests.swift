import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let oneShotRequest = Probe(
    "one-shot request",
    "a legacy service answers later, at once, twice, never; the async stage calls it through the bridge"
  ) { stage in
    var answered = 0
    for manner in CarelessCartService.Manner.allCases {
      if try await answers(from: CarelessCartService(manner: manner), to: stage) == 1 { answered += 1 }
    }
    let all = CarelessCartService.Manner.allCases.count
    return Finding(answered == all ? .works : .limited, "\(answered) of \(all) answered once")
  }

  /// How often the caller of one intent gets an answer.
  private static func answers(from service: CarelessCartService, to stage: MigrationStage) async throws -> Int
  {
    let (heard, callbacks) = (Tally(), DispatchQueue(label: "callbacks"))
    switch stage {
    case .closure:
      let cart = CartClosureViewModel(service: service, callbackQueue: callbacks)
      cart.add(.plenty) { _ in heard.increment() }
      await settle(service) { cart.remove(Product.plenty.absentID, completion: $0) }
    case .stream:
      let cart = CartStreamViewModel(service: service, callbackQueue: callbacks)
      cart.add(.plenty) { _ in heard.increment() }
      await settle(service) { cart.remove(Product.plenty.absentID, completion: $0) }
    case .async:
      let clock = VirtualClock()
      let cart = CartViewModel(
        service: BridgedCartService(base: service, deadline: .seconds(5), clock: clock))
      let add = Task {
        defer { heard.increment() }
        try await cart.add(.plenty)
      }
      if service.manner == .never {
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
      }
      _ = await add.result
    }
    return heard.count
  }

  /// Returns when the answers of the service have passed the queues of the view model. A refused intent passes the same queues
  /// after the answers, so its completion is the signal.
  private static func settle(
    _ service: CarelessCartService,
    _ refusedIntent: (@escaping CartClosureViewModel.Completion) -> Void
  ) async {
    for _ in 1...2 {
      service.queue.sync {}
      let gate = Gate()
      refusedIntent { _ in gate.open() }
      await gate.wait()
    }
  }

  static let cancellationBefore = Probe(
    "cancellation before the work", "100 queries, each cancelled before the typing pauses"
  ) { stage in
    let (service, clock) = (ScriptedSearchService<String>(), VirtualClock())
    let search = stage.makeSearch(service: service, clock: clock)
    for number in 1...100 {
      search.setQuery("query \(number)")
      await clock.waitForSleepers(1)
      search.cancel()
      clock.advance(by: .seconds(1))
    }
    let requests = service.calls.requests.count
    return Finding(
      requests == 0 && !search.state.isSearching ? .works : .fails, "\(requests) of 100 requested")
  }

  static let cancellationDuring = Probe(
    "cancellation during the work",
    "a search in flight, and the caller of an add that the service has; the observer is slow"
  ) { stage in
    let (isCancelled, isWhole) = (try await cancelsSearch(stage), try await keepsAddWhole(stage))
    let stale = await statesShownAfterCancel(stage)
    let verdict: Finding.Verdict = !isCancelled || !isWhole ? .fails : stale == 0 ? .works : .limited
    return Finding(
      verdict,
      "\(isCancelled ? 1 : 0) of 1 search cancelled, \(isWhole ? 0 : 1) of 1 add lost, \(stale) shown late")
  }

  private static func cancelsSearch(_ stage: MigrationStage) async throws -> Bool {
    let service = ScriptedSearchService<String>(ignoringCancellation: true)
    let search = stage.makeSearch(service: service, clock: VirtualClock())
    search.setQuery("a")
    search.submit()
    let call = try await service.calls.next()
    search.cancel()
    await call.waitForCancellation()
    call.succeed(["late"])
    return search.state.results.value == nil
  }

  /// Whether the cart shows an add that the service accepts after the caller was cancelled.
  private static func keepsAddWhole(_ stage: MigrationStage) async throws -> Bool {
    let service = ScriptedCartService()
    let cart = stage.makeCart(service: service)
    let add = Task { try await cart.add(.plenty, quantity: 1) }
    let call = try await service.calls.next()
    // The service has the request, so the cancellation comes too late to stop it there.
    add.cancel()
    call.succeed()
    _ = await add.result
    return cart.state.cart.quantity(of: Product.plenty.id) == 1 && cart.state.pendingCount == 0
  }

  static let cancelledCallers = Probe(
    "cancelled callers",
    "two callers of one load, cancelled one after the other: the requests that each cancellation cancels"
  ) { stage in
    let service = ScriptedPageService<Product>()
    let list = stage.makeList(service: service, pageSize: 10)
    let first = await list.load()
    let call = try await service.calls.next()
    let last = await list.load()
    first.cancel()
    // In the other stages a caller is a completion handler, which is called after the answer.
    if stage == .async { await first.value }
    let withFirst = call.isCancelled ? 1 : 0
    last.cancel()
    if stage == .async { await last.value }
    let withLast = call.isCancelled ? 1 - withFirst : 0
    let verdict: Finding.Verdict = withFirst > 0 ? .fails : withLast == 0 ? .limited : .works
    return Finding(verdict, "\(withFirst) with the first, \(withLast) with the last")
  }

  /// How many states that were sent before a cancel reach an observer after the cancel.
  private static func statesShownAfterCancel(_ stage: MigrationStage) async -> Int {
    let (service, clock) = (ScriptedSearchService<String>(), VirtualClock())
    guard stage == .closure else {
      let search = stage.makeSearch(service: service, clock: clock)
      var states = search.states().makeAsyncIterator()
      search.setQuery("a")
      search.submit()
      search.cancel()
      return await states.next()?.isSearching == true ? 1 : 0
    }
    let (callbacks, late) = (DispatchQueue(label: "callbacks"), Tally())
    let search = SearchClosureViewModel(service: service, scheduler: clock, callbackQueue: callbacks)
    callbacks.suspend()
    let binding = search.bind { if $0.isSearching { late.increment() } }
    search.setQuery("a")
    search.submit()
    search.cancel()
    callbacks.resume()
    await drain(callbacks)
    binding.cancel()
    return late.count
  }

  /// Returns when everything on the queue has run.
  static func drain(_ queue: DispatchQueue) async {
    let gate = Gate()
    queue.async { gate.open() }
    await gate.wait()
  }
}

extension Product {
  /// The ID of a product that is in no cart.
  fileprivate var absentID: Product.ID { Product.ID(rawValue: -1) }
}

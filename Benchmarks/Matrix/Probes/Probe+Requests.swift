import Dispatch
import Domain
import ViewModelTesting
import ViewModels

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
    return Finding(answered == all ? .works : .limited, "\(answered) of \(all) heard once")
  }

  /// How often the caller of one intent hears of it.
  private static func answers(from service: CarelessCartService, to stage: Stage) async throws -> Int {
    let (heard, callbacks) = (Tally(), DispatchQueue(label: "callbacks"))
    switch stage {
    case .closure:
      let cart = CartClosureViewModel(service: service, callbackQueue: callbacks)
      cart.add(.plenty) { _ in heard.add() }
      await settle(service) { cart.remove(Product.plenty.absentID, completion: $0) }
    case .stream:
      let cart = CartStreamViewModel(service: service, callbackQueue: callbacks)
      cart.add(.plenty) { _ in heard.add() }
      await settle(service) { cart.remove(Product.plenty.absentID, completion: $0) }
    case .async:
      let clock = VirtualClock()
      let cart = CartViewModel(
        service: BridgedCartService(base: service, deadline: .seconds(5), clock: clock))
      let add = Task {
        defer { heard.add() }
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

  /// Returns when all that the service has answered has gone through the view model's queues: behind it goes an intent that is refused.
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
    "cancellation before the work", "100 queries, each called off before the typing has paused"
  ) { stage in
    let (service, clock) = (ScriptedSearchService<String>(), VirtualClock())
    let search = stage.makeSearch(service: service, clock: clock)
    for number in 1...100 {
      await search.setQuery("query \(number)")
      await clock.waitForSleepers(1)
      await search.cancel()
      clock.advance(by: .seconds(1))
    }
    let requests = service.calls.requests.count
    return Finding(requests == 0 && !search.state.isSearching ? .works : .fails, "\(requests) of 100 asked")
  }

  static let cancellationDuring = Probe(
    "cancellation during the work",
    "a search and an add under way are called off; the observer is slow"
  ) { stage in
    let calledOff = [try await callsOffSearch(stage), await callsOffAdd(stage)].count { $0 }
    let stale = await statesShownAfterCancel(stage)
    let verdict: Verdict = calledOff == 2 && stale == 0 ? .works : calledOff > 0 ? .limited : .fails
    return Finding(verdict, "\(calledOff) of 2 called off, \(stale) shown late")
  }

  private static func callsOffSearch(_ stage: Stage) async throws -> Bool {
    let service = ScriptedSearchService<String>(ignoringCancellation: true)
    let search = stage.makeSearch(service: service, clock: VirtualClock())
    await search.setQuery("a")
    await search.submit()
    let call = await service.calls.next()
    await search.cancel()
    await call.waitForCancellation()
    call.succeed(["late"])
    return search.state.results.value == nil
  }

  private static func callsOffAdd(_ stage: Stage) async -> Bool {
    let service = ScriptedCartService()
    let cart = stage.makeCart(service: service)
    let add = Task { try await cart.add(.plenty, quantity: 1) }
    let call = await service.calls.next()
    add.cancel()
    // Of the other stages' adds nobody has a handle. Where they had one, the answer would come too late to be taken on.
    if stage == .async { await call.waitForCancellation() }
    call.succeed()
    _ = await add.result
    return cart.state.cart.isEmpty
  }

  /// How many states of before a cancel an observer is shown after it.
  private static func statesShownAfterCancel(_ stage: Stage) async -> Int {
    let (service, clock) = (ScriptedSearchService<String>(), VirtualClock())
    guard stage == .closure else {
      let search = stage.makeSearch(service: service, clock: clock)
      var states = search.states().makeAsyncIterator()
      await search.setQuery("a")
      await search.submit()
      await search.cancel()
      return await states.next()?.isSearching == true ? 1 : 0
    }
    let (callbacks, late) = (DispatchQueue(label: "callbacks"), Tally())
    let search = SearchClosureViewModel(service: service, scheduler: clock, callbackQueue: callbacks)
    callbacks.suspend()
    let binding = search.bind { if $0.isSearching { late.add() } }
    search.setQuery("a")
    search.submit()
    search.cancel()
    callbacks.resume()
    await drain(callbacks)
    binding.cancel()
    return late.count
  }

  /// Returns when all that is on the queue has run.
  static func drain(_ queue: DispatchQueue) async {
    let gate = Gate()
    queue.async { gate.open() }
    await gate.wait()
  }
}

extension Product {
  /// The id of a product that is in no cart.
  fileprivate var absentID: Product.ID { Product.ID(rawValue: -1) }
}

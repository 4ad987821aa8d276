import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let oneShotRequest = Probe(
    "one-shot request",
    "a cart adds a product through a legacy service that answers later, at once, twice, never",
    wanted: .exactly(4, of: 4, "answered once")
  ) { stage in
    [try await mannersAnsweredOnce(stage, deadline: nil)]
  }

  static let oneShotRequestWithDeadline = Probe(
    "one-shot request with a deadline",
    "the same service behind `withCompletionHandler(deadline:)`; two stages call it through `asClosure`",
    wanted: .exactly(4, of: 4, "answered once")
  ) { stage in
    [try await mannersAnsweredOnce(stage, deadline: .seconds(5))]
  }

  private static func mannersAnsweredOnce(_ stage: MigrationStage, deadline: Duration?) async throws -> Int {
    var answered = 0
    for manner in CarelessCartService.Manner.allCases {
      let service = CarelessCartService(manner: manner)
      if try await answers(from: service, to: stage, deadline: deadline) == 1 { answered += 1 }
    }
    return answered
  }

  /// How often the caller of one intent gets an answer.
  private static func answers(
    from legacy: CarelessCartService, to stage: MigrationStage, deadline: Duration?
  ) async throws -> Int {
    let (heard, answered, callbacks) = (Tally(), Gate(), DispatchQueue(label: "callbacks"))
    let clock = VirtualClock()
    let bridged = deadline.map { BridgedCartService(base: legacy, deadline: $0, clock: clock) }
    let service: any CartService = bridged ?? legacy.asAsync
    let closures: any CartClosureService = bridged?.asClosure ?? legacy
    let hear: CartClosureViewModel.Completion = { _ in
      heard.increment()
      answered.open()
    }
    let refuse: () async -> Void
    switch stage {
    case .closure:
      let cart = CartClosureViewModel(service: closures, callbackQueue: callbacks)
      cart.add(.plenty, completion: hear)
      refuse = { await completion { cart.remove(CatalogProduct.plenty.absentID, completion: $0) } }
    case .stream:
      let cart = CartStreamViewModel(service: closures, callbackQueue: callbacks)
      cart.add(.plenty, completion: hear)
      refuse = { await completion { cart.remove(CatalogProduct.plenty.absentID, completion: $0) } }
    case .async:
      let cart = CartViewModel(service: service)
      Task { hear(await Result { try await cart.add(.plenty) }) }
      refuse = { try? await cart.remove(CatalogProduct.plenty.absentID) }
    }
    await legacy.requested.wait()
    if legacy.manner != .never {
      await answered.wait()
    } else if let deadline {
      await clock.waitForSleepers(1)
      clock.advance(by: deadline)
      await answered.wait()
    }
    await settle(legacy, refuse)
    let count = heard.count
    legacy.release()
    return count
  }

  /// Returns when the answers of the service have passed the queues of the view model. A refused intent passes the same queues
  /// after the answers, so its end is the signal.
  private static func settle(_ service: CarelessCartService, _ refusedIntent: () async -> Void) async {
    for _ in 1...2 {
      service.queue.sync {}
      await refusedIntent()
    }
  }

  private static func completion(_ start: (@escaping CartClosureViewModel.Completion) -> Void) async {
    let gate = Gate()
    start { _ in gate.open() }
    await gate.wait()
  }

  static let cancellationBefore = Probe(
    "cancellation before the work", "100 queries, each cancelled before the typing pauses",
    wanted: .exactly(0, of: 100, "requested")
  ) { stage in
    let (service, clock) = (ScriptedSearchService<TextHit>(), VirtualClock())
    let search = stage.makeSearch(service: service, clock: clock)
    for number in 1...100 {
      search.setQuery("query \(number)")
      await clock.waitForSleepers(1)
      search.cancel()
      clock.advance(by: .seconds(1))
    }
    return [service.calls.requests.count]
  }

  static let cancellationDuring = Probe(
    "cancellation during the work", "a search in flight; the caller of an add that the service has",
    wanted: .exactly(1, of: 1, "search cancelled"), .exactly(0, of: 1, "add lost")
  ) { stage in
    [try await cancelsSearch(stage) ? 1 : 0, try await keepsAddWhole(stage) ? 0 : 1]
  }

  private static func cancelsSearch(_ stage: MigrationStage) async throws -> Bool {
    let service = ScriptedSearchService<TextHit>(ignoringCancellation: true)
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
    // The service already has the request, so the cancellation cannot stop the add there.
    add.cancel()
    call.succeed()
    _ = await add.result
    return cart.state.cart.quantity(of: CatalogProduct.plenty.id) == 1 && cart.state.pendingCount == 0
  }

  static let cancelledCallers = Probe(
    "cancelled callers",
    "two callers of one load give up, one after the other; in the closure and stream stages, a caller "
      + "cannot give up for itself",
    wanted: .exactly(0, of: 1, "request cancelled with the first"), .exactly(1, of: 1, "with the last")
  ) { stage in
    let service = ScriptedPageService<CatalogProduct>()
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
    return [withFirst, call.isCancelled ? 1 - withFirst : 0]
  }
}

extension CatalogProduct {
  /// The ID of a product that is in no cart.
  fileprivate var absentID: CatalogProduct.ID { CatalogProduct.ID(rawValue: -1) }
}

import AsyncViewModels
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
}

extension CatalogProduct {
  /// The ID of a product that is in no cart.
  fileprivate var absentID: CatalogProduct.ID { CatalogProduct.ID(rawValue: -1) }
}

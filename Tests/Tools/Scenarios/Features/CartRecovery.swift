import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization

extension Scenario {
  static let cartRecovery = inEachStage(
    "cart/recovers",
    """
    three callers change one cart while it is loaded; the service makes each change once, but loses answers, refuses \
    some changes and can be slower than the deadline: when a last load asks for the cart, the cart already shows what \
    the service has
    """, tasks: 5
  ) { world, stage, tracker in
    let product = CatalogProduct(
      id: 1, name: "Nail", price: Money(minorUnits: 1, currency: .usd), stock: 1_000)
    let service = LossyCartService(world: world)
    let model = stage.makeCart(service: service, clock: world.clock, isolation: world.isolation)
    tracker.track(model.subject)
    for quantity in [1, 10] {
      world.spawn("adds \(quantity)") { try? await model.add(product, quantity: quantity) }
    }
    world.spawn("takes out") {
      if world.flip() { await Task.yield() }
      try? await model.remove(product.id)
    }
    world.spawn("loads") { await (await model.load()).value }
    await world.settle()
    service.answerEachRequest { model.state.cart.itemCount }
    await (await model.load()).value
    service.releaseShown()
    world.expect(model.state.loadFailure == nil, "the last load failed")
    world.expectEqual(model.state.pendingCount, 0, "pending changes:")
    world.expectEqual(model.state.cart.quantity(of: product.id), service.cart.itemCount, "units in the cart:")
  }
}

/// A service that makes each change once. Until ``answerEachRequest(shown:)``, it loses answers and can be slower than a deadline.
private final class LossyCartService: CartService, CartClosureService {
  private struct State {
    var cart = Cart()
    var answers: [IdempotencyKey: Result<Void, any Error>] = [:]
    /// Whether no answer is lost, and what the cart shows then.
    var shown: (@Sendable () -> Int)?
  }

  private let world: SimulatedWorld
  private let state = Mutex(State())

  init(world: SimulatedWorld) { self.world = world }

  var cart: Cart { state.withLock { $0.cart } }

  /// From now on, loses no answer, and checks what the cart shows whenever it is asked for its cart.
  func answerEachRequest(shown: @escaping @Sendable () -> Int) { state.withLock { $0.shown = shown } }

  /// Releases what `shown` captures.
  func releaseShown() { state.withLock { $0.shown = nil } }

  func cart() async throws -> Cart {
    if let shown = state.withLock({ $0.shown }) {
      world.expectEqual(shown(), cart.itemCount, "units in the cart when the service is asked:")
    }
    try await world.faults.latency()
    let cart = cart
    try await world.faults.latency()
    return cart
  }

  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    .run(completion: completion) { try await self.cart() }
  }

  func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await world.faults.latency()
    let isRefused = world.flip()
    let (answer, isLost) = state.withLock { state in
      let answer =
        state.answers[key]
        ?? Result {
          if isRefused { throw CartError.refused(change.product.id, reason: "sold out") }
          try state.cart.apply(change)
        }
      state.answers[key] = answer
      return (answer, state.shown == nil)
    }
    if isLost {
      if world.flip() { try await world.clock.sleep(for: .seconds(100)) }
      try world.faults.failure(ServiceError.connectionLost)
    }
    try answer.get()
  }

  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { try await self.apply(change, key: key) }
  }
}

import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let cartUnderContention = inEachStage(
    "cart/under-contention",
    """
    four callers change one cart with one or two products, and any of them may be cancelled; the service \
    answers in any order and refuses some changes: in the end, the cart shows the quantities that the \
    service confirmed, each caller gets the right answer, and no request removes more than the service has
    """, tasks: 5
  ) { world, stage, tracker in
    let products = ["Nail", "Screw"].enumerated().map { index, name in
      CatalogProduct(
        id: CatalogProduct.ID(rawValue: index), name: name, price: Money(minorUnits: 1, currency: .usd),
        stock: 1_000
      )
    }
    let service = ShakyCart(world: world)
    let model = stage.makeCart(service: service, isolation: world.isolation)
    tracker.track(model.subject)
    for quantity in [1, 10, 100] {
      let product = world.choose(from: products)
      shop(
        world, "adds \(quantity)", confirmed: { service.confirmed.values.contains { $0.delta == quantity } }
      ) {
        try await model.add(product, quantity: quantity)
      }
    }
    let product = world.choose(from: products)
    shop(world, "takes out", confirmed: { service.confirmed.values.contains { $0.delta < 0 } }) {
      try await model.remove(product.id)
    }
    await world.settle()
    for product in products {
      world.expectEqual(
        model.state.cart.quantity(of: product.id), service.quantity(of: product.id), "\(product.name):")
    }
    world.expectEqual(model.state.pendingCount, 0, "changes without an answer:")
  }

  private static func shop(
    _ world: SimulatedWorld, _ name: String, confirmed: @escaping @Sendable () -> Bool,
    _ change: @escaping @Sendable () async throws -> Void
  ) {
    let shopper = world.spawn(name) {
      if world.flip() { await Task.yield() }
      do {
        try await change()
        world.expect(confirmed(), "a change without a confirmation")
      } catch {
        world.expect(!confirmed(), "\(error), but it was confirmed")
      }
    }
    world.faults.cancellation(of: shopper, upTo: .seconds(1))
  }
}

/// A service that answers late and refuses some changes. If the task of a call is cancelled, the call may
/// throw although it has applied the change.
struct ShakyCart: CartService, CartClosureService {
  let world: SimulatedWorld
  let confirmed = EventLog<CartChange>()

  func quantity(of id: CatalogProduct.ID) -> Int {
    confirmed.values.filter { $0.product.id == id }.map(\.delta).reduce(0, +)
  }

  func cart() async throws -> Cart { Cart() }

  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    .run(completion: completion) { try await cart() }
  }

  func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await world.faults.latency()
    try world.faults.failure(CartError.refused(change.product.id, reason: "sold out"))
    world.expect(
      quantity(of: change.product.id) + change.delta >= 0,
      "a request to remove too many: \(change.delta)")
    confirmed.append(change)
    try await world.faults.latency()
  }

  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { try await apply(change, key: key) }
  }
}

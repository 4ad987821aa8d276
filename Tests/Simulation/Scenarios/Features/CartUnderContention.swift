import Domain
import ViewModelTesting
import ViewModels

extension Scenario {
  static let cartUnderContention = inEachStage(
    "cart/under-contention",
    """
    three shoppers change one cart, and a service refuses some of it in any order: what stays \
    is what was confirmed, and no change of another is lost with one that is rolled back
    """, tasks: 4
  ) { world, stage, tracker in
    let nail = Product(id: 3, name: "Nail", price: Money(minorUnits: 1, currency: .usd), stock: 1_000)
    let confirmed = EventLog<Int>()
    let model = stage.makeCart(
      service: ShakyCart(world: world, confirmed: confirmed), isolation: world.isolation)
    tracker.track(model.subject)
    for quantity in [1, 10, 100] {
      world.spawn("adds \(quantity)") {
        if world.flip() { await Task.yield() }
        do {
          try await model.add(nail, quantity: quantity)
          world.expect(confirmed.values.contains(quantity), "confirmed by nobody: \(quantity)")
        } catch {
          world.expect(!confirmed.values.contains(quantity), "\(error), but it was confirmed: \(quantity)")
        }
      }
    }
    await world.settle()
    world.expectEqual(model.state.cart.quantity(of: 3), confirmed.values.reduce(0, +), "in the cart:")
    world.expectEqual(model.state.pendingCount, 0, "changes without an answer:")
  }
}

/// Refuses some of the changes, late, and takes no notice of cancellation.
struct ShakyCart: CartService, CartClosureService {
  let world: World
  let confirmed: EventLog<Int>

  func apply(_ change: CartChange) async throws {
    await world.faults.deafLatency()
    try world.faults.failure(CartError.refused(change.product.id, reason: "sold out"))
    confirmed.append(change.delta)
  }

  func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    deliver(to: completion) { try await apply(change) }
  }
}

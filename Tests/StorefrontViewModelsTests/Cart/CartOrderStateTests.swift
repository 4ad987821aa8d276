import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The order of the cart's requests and results, tested without a view model.
@Suite("Cart state: order", .timeLimit(.minutes(5)), .endsWaits)
struct CartOrderStateTests {
  private static func product(_ id: CatalogProduct.ID) -> CatalogProduct {
    CatalogProduct(id: id, name: "Nail", price: Money(minorUnits: 1, currency: .usd), stock: 100)
  }

  @Test("a load sends unanswered changes in the order in which they were made")
  func requests() throws {
    var state = CartState(hasService: true)
    let requests = try (1...5).map { number in
      let intent = CartIntent.add(Self.product(CatalogProduct.ID(rawValue: number)), quantity: 1)
      return try #require(try state.begin(intent, key: IdempotencyKey()).requests.first)
    }
    for request in requests.reversed() { _ = state.receive(.failure(ServiceError.timedOut), for: request) }
    #expect(state.beginLoad().requests.map(\.unanswered) == requests.map(\.unanswered))
  }

  @Test("changes that a refusal makes impossible are refused in the order in which they were made")
  func results() throws {
    var state = CartState(hasService: true)
    let keys = (1...4).map { _ in IdempotencyKey() }
    let first = try #require(
      try state.begin(.add(Self.product(1), quantity: 1), key: keys[0]).requests.first)
    for (key, quantity) in zip(keys[1...], [2, 3, 4]) {
      _ = try state.begin(.setQuantity(quantity, of: 1), key: key)
    }
    let step = state.receive(.failure(CartError.refused(1, reason: "sold out")), for: first)
    #expect(step.results.map(\.key) == keys)
    #expect(state.pendingCount == 0)
  }
}

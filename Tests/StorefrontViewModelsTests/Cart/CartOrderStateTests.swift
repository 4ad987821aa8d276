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
    let requests = try (1...4).map { number in
      let intent = CartIntent.add(Self.product(CatalogProduct.ID(rawValue: number)), quantity: 1)
      return try #require(try state.begin(intent).requests.first)
    }
    for request in requests.reversed() { _ = state.receive(.failure(ServiceError.timedOut), for: request) }
    #expect(state.beginLoad().requests.map(\.unanswered) == requests.map(\.unanswered))
  }

  @Test("changes that a refusal makes impossible are refused in the order in which they were made")
  func results() throws {
    var state = CartState(hasService: true)
    let first = try state.begin(.add(Self.product(1), quantity: 1))
    let others = try [2, 3, 4].map { try state.begin(.setQuantity($0, of: 1)).change }
    let step = state.receive(.failure(CartError.refused(1, reason: "sold out")), for: first.requests[0])
    #expect(step.results.map { $0.change } == ([first.change] + others).compactMap(\.self))
    #expect(state.pendingCount == 0)
  }
}

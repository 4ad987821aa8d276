import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontViewModels
import Testing

/// How many unanswered changes a load of the cart sends at the same time, tested without a view model.
@Suite("Cart state: limit of sends", .timeLimit(.minutes(5)), .endsWaits)
struct CartSendLimitStateTests {
  private static func product(_ number: Int) -> CatalogProduct {
    CatalogProduct(
      id: CatalogProduct.ID(rawValue: number), name: "Nail", price: Money(minorUnits: 1, currency: .usd),
      stock: 100)
  }

  /// A cart of an earlier run with one unanswered change of each of these products.
  private static func cart(unanswered products: [Int]) -> CartState {
    let changes = products.map {
      UnansweredChange(key: IdempotencyKey(), change: CartChange(product: product($0), delta: 1))
    }
    return CartState(SavedCart(unanswered: changes), hasService: true)
  }

  private func products(_ requests: [CartRequest]) -> [Int] {
    requests.map(\.unanswered.change.product.id.rawValue)
  }

  @Test(
    "a load sends each change once, in order: 4 at the same time, and the next one after any answer",
    arguments: [3, 4, 5, 9],
    [
      .success(()), .failure(CartError.refused(1, reason: "sold out")), .failure(ServiceError.timedOut),
      .cancelled,
    ]
      as [TaskOutcome<Void>])
  func limit(count: Int, outcome: TaskOutcome<Void>) {
    var state = Self.cart(unanswered: Array(1...count))
    var open = state.beginLoad().requests
    #expect(products(open) == Array(1...min(count, 4)))
    for answered in 1...count {
      #expect(state.isLoading)
      let next = state.receive(outcome, for: open.removeLast()).requests
      #expect(products(next) == (answered + 4 > count ? [] : [answered + 4]))
      open += next
    }
    #expect(open.isEmpty)
    #expect(state.isCartDue == (state.pendingCount == 0))
    #expect(state.isLoading == (state.pendingCount == 0), "the load fails if a change stays unanswered")
  }

  @Test("a change takes the place of an earlier one of its product")
  func oneProduct() {
    var state = Self.cart(unanswered: [1, 1, 2, 3, 4, 5])
    let open = state.beginLoad().requests
    #expect(products(open) == [1, 2, 3, 4])
    let second = state.receive(.success(()), for: open[0]).requests
    #expect(products(second) == [1])
    #expect(products(state.receive(.success(()), for: second[0]).requests) == [5])
  }

  @Test("a load holds no new change back, and no change of a product that the shopper changes")
  func newChanges() throws {
    var state = Self.cart(unanswered: Array(1...9))
    let open = state.beginLoad().requests
    let new = try state.begin(.add(Self.product(10), quantity: 1)).requests
    #expect(products(new) == [10])
    let held = try state.begin(.add(Self.product(8), quantity: 1)).requests
    #expect(products(held) == [8])
    #expect(state.receive(.success(()), for: new[0]).requests.isEmpty, "4 others are still being sent")
    #expect(state.receive(.failure(ServiceError.timedOut), for: held[0]).requests.isEmpty)
    var (sent, requests) = ([Int](), open)
    while let request = requests.popLast() {
      let next = state.receive(.success(()), for: request).requests
      requests += next
      sent += products(next)
    }
    #expect(sent == [5, 6, 7, 9], "the same load does not send 8 again")
    #expect(state.hasUnanswered && !state.isLoading)
  }

  @Test("a new change in flight does not slow a load down")
  func newChangesInFlight() throws {
    var state = Self.cart(unanswered: Array(1...5))
    for number in 6...9 { _ = try state.begin(.add(Self.product(number), quantity: 1)) }
    let open = state.beginLoad().requests
    #expect(products(open) == [1, 2, 3, 4])
    #expect(products(state.receive(.success(()), for: open[0]).requests) == [5])
  }

  @Test("a load in place of another sends failed changes again, for its account, and no fifth one")
  func replacedLoad() throws {
    var state = Self.cart(unanswered: Array(1...6))
    let first = AccountVersion.current
    let open = state.beginLoad(for: first).requests
    let fifth = state.receive(.failure(ServiceError.timedOut), for: open[0]).requests
    #expect(products(fifth) == [5] && fifth[0].account == first)
    let second = AccountVersion.advance()
    #expect(state.beginLoad(for: second).requests.isEmpty)
    let again = state.receive(.success(()), for: open[1]).requests
    #expect(products(again) == [1] && again[0].account == second)
    let last = state.receive(.success(()), for: open[2]).requests
    #expect(products(last) == [6] && last[0].account == second)
  }

  @Test("a cancelled load still sends all its changes, a closed cart sends none")
  func cancelled() {
    var state = Self.cart(unanswered: Array(1...6))
    let open = state.beginLoad().requests
    state.cancelLoad()
    #expect(products(state.receive(.success(()), for: open[0]).requests) == [5])
    state.close()
    #expect(state.receive(.success(()), for: open[1]).requests.isEmpty)
  }

  @Test("discarding during a load rolls back the changes that are not being sent")
  func discarded() {
    var state = Self.cart(unanswered: Array(1...6))
    let open = state.beginLoad().requests
    #expect(state.hasUnanswered)
    #expect(state.discardUnanswered().requests.isEmpty)
    #expect(!state.hasUnanswered && state.cart.itemCount == 4)
    for request in open { #expect(state.receive(.success(()), for: request).requests.isEmpty) }
    #expect(state.isCartDue)
  }

  @Test("a late answer to a change that is not being sent again ends it")
  func lateAnswer() {
    var state = Self.cart(unanswered: Array(1...6))
    let open = state.beginLoad().requests
    let fifth = state.receive(.failure(ServiceError.timedOut), for: open[0]).requests
    _ = state.beginLoad()
    #expect(state.receive(.success(()), for: open[0]).requests.isEmpty)
    #expect(products(state.receive(.success(()), for: fifth[0]).requests) == [6], "not 1 again")
  }
}

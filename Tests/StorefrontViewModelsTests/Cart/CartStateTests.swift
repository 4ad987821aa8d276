import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The rules of the cart's changes, tested without a view model.
///
/// A change is *due* when its request can be sent to the service.
@Suite("Cart state", .timeLimit(.minutes(5)), .endsWaits)
struct CartStateTests {
  private let nail = AnsweredCart.nail
  private let screw = AnsweredCart.screw

  @Test("a second answer to a change has no effect", arguments: [true, false])
  func secondAnswer(isConfirmed: Bool) throws {
    var state = AnsweredCart()
    let change = try state.begin(.add(nail, quantity: 2))
    try state.begin(.add(nail, quantity: 3))
    let first = isConfirmed ? state.confirm(change) : state.rollBack(change)
    #expect(first.count == 1)
    #expect(state.rollBack(change).isEmpty)
    #expect(state.confirm(change).isEmpty)
    #expect(state.cart.items.map(\.quantity) == (isConfirmed ? [5] : [3]))
    #expect(state.pendingCount == 1)
  }

  @Test(
    "an addition that is made again after a rollback keeps its newer price and stock",
    arguments: [(stock: 50, quantity: 49), (stock: 200, quantity: 199)])
  func newerProduct(stock: Int, quantity: Int) throws {
    var state = AnsweredCart(SavedCart(try Cart((nail, 1))))
    let newer = CatalogProduct(
      id: 1, name: "Nail", price: Money(minorUnits: 2, currency: .usd), stock: stock)
    let other = try state.begin(.add(screw, quantity: 1))
    try state.begin(.add(newer, quantity: quantity))
    state.rollBack(other)
    #expect(state.cart.items.map(\.product) == [newer])
    #expect(state.cart.items.map(\.quantity) == [stock])
  }

  @Test("without a service, an answer has no effect", arguments: [true, false])
  func answerWithoutService(isConfirmed: Bool) throws {
    var other = CartState(hasService: true)
    let step = try other.begin(.add(nail, quantity: 2))
    let request = try #require(step.requests.first)
    var state = CartState(hasService: false)
    #expect(try state.begin(.add(nail, quantity: 3)).change == nil)
    let refusal = CartError.refused(nail.id, reason: "sold out")
    let answered = state.receive(isConfirmed ? .success(()) : .failure(refusal), for: request)
    #expect(answered.requests.isEmpty)
    #expect(state.cart.items.map(\.quantity) == [3])
  }

  @Test("a change that is confirmed before an earlier change stays in the cart")
  func answersInAnotherOrder() throws {
    let euro = CatalogProduct(id: 3, name: "Bolt", price: Money(minorUnits: 1, currency: .eur), stock: 100)
    var state = AnsweredCart(SavedCart(try Cart((nail, 1))))
    let removal = try state.begin(.remove(nail.id))
    let addition = try state.begin(.add(euro, quantity: 2))
    state.confirm(addition)
    state.confirm(removal)
    let refused = try state.begin(.add(euro, quantity: 1))
    state.rollBack(refused)
    #expect(state.cart.items.map(\.product) == [euro])
    #expect(state.cart.items.map(\.quantity) == [2])
  }

  @Test("a confirmed product stays if the removal of a product in another currency is rolled back")
  func twoCurrencies() throws {
    let euro = CatalogProduct(id: 3, name: "Bolt", price: Money(minorUnits: 1, currency: .eur), stock: 100)
    var state = AnsweredCart(SavedCart(try Cart((nail, 1))))
    let removal = try state.begin(.remove(nail.id))
    let addition = try state.begin(.add(euro, quantity: 2))
    state.confirm(addition)
    state.rollBack(removal)
    #expect(state.cart.items.map(\.product) == [nail, euro])
    #expect(state.cart.items.map(\.quantity) == [1, 2])
    #expect(throws: MoneyError.mixedCurrencies(.usd, .eur)) { try state.cart.total() }
    // The cart has the currency of its first item, so no euro product can be added. Items can be removed.
    #expect(throws: CartError.money(.mixedCurrencies(.usd, .eur))) {
      try state.begin(.add(euro, quantity: 1))
    }
    try state.begin(.remove(nail.id))
    #expect(try state.cart.total() == Money(minorUnits: 2, currency: .eur))
  }

  @Test("after all answers, the cart contains the confirmed changes in the order in which they began")
  func randomAnswers() throws {
    for seed in 1...2_000 {
      var random = SplitMix64(seed: UInt64(seed))
      let currencies: [Currency] = [.usd, random.pick([Currency.usd, .eur])]
      let products = (1...3).map { id in
        CatalogProduct(
          id: CatalogProduct.ID(rawValue: id), name: "\(id)",
          price: Money(minorUnits: 1, currency: currencies[id % 2]), stock: 4)
      }
      var (state, begun, expected) = (AnsweredCart(), [IdempotencyKey](), Cart())
      var confirmed: [IdempotencyKey: CartChange] = [:]
      for _ in 0..<12 {
        let product = random.pick(products)
        let intent =
          random.next(in: 0...2) == 0 ? .remove(product.id) : CartIntent.add(product, quantity: 1)
        // A rule may refuse the intent.
        if let change = try? state.begin(intent) { begun.append(change) }
        if random.next(in: 0...1) == 0 { answer() }
      }
      while state.pendingCount > 0 { answer() }
      for change in begun {
        if let request = confirmed[change] { expected.reapply(request) }
      }
      #expect(state.cart == expected, "seed \(seed)")

      func answer() {
        let due = begun.compactMap { state.turn(of: $0) }
        guard !due.isEmpty else { return }
        let turn = random.pick(due)
        if case .success(let request) = turn.result, random.next(in: 0...3) > 0 {
          confirmed[turn.id] = request
          state.confirm(turn.id)
        } else {
          state.rollBack(turn.id)
        }
      }
    }
  }

  @Test("states are equal if they show the same cart and the same number of pending changes")
  func equality() throws {
    var (one, other) = (AnsweredCart(), AnsweredCart(hasService: false))
    #expect(one.state == other.state)
    let change = try one.begin(.add(nail, quantity: 2))
    try other.begin(.add(nail, quantity: 2))
    #expect(one.state != other.state, "one change is pending")
    one.confirm(change)
    #expect(one.state == other.state)
    try other.begin(.remove(nail.id))
    #expect(one.state != other.state)
  }

  @Test("the error of a save is shown until a save succeeds")
  func saves() {
    var state = CartState(hasService: false)
    state.recordWrite(.failure(StorageError.closed(file: "cart.json")))
    #expect(state.saveFailure as? StorageError == .closed(file: "cart.json"))
    #expect(state != CartState(hasService: false))
    state.recordWrite(.success(()))
    #expect(state.saveFailure == nil)
    #expect(state == CartState(hasService: false))
  }

  @Test("without a service, no change is pending")
  func unconfirmed() throws {
    var state = AnsweredCart(hasService: false)
    try state.begin(.add(nail, quantity: 2))
    #expect(state.pendingCount == 0)
    #expect(state.cart.items.map(\.quantity) == [2])
  }

  @Test("a rolled-back change leaves the later changes in place")
  func rollBackBelow() throws {
    var state = AnsweredCart()
    let first = try state.begin(.add(nail, quantity: 2))
    try state.begin(.add(nail, quantity: 3))
    let second = try state.rollBack(first).due(1)
    #expect(state.cart.items.map(\.quantity) == [3])
    #expect(state.confirm(second.id).isEmpty)
    #expect(state.cart.items.map(\.quantity) == [3])
    #expect(state.pendingCount == 0)
  }

  @Test("the changes of one product are due one after another, in the order of the calls")
  func oneProduct() throws {
    var state = AnsweredCart()
    let changes = try (1...3).map { try state.begin(.add(nail, quantity: $0)) }
    #expect(changes.map(state.isDue) == [true, false, false])
    let second = try state.confirm(changes[0]).due(1)
    #expect(second.id == changes[1])
    let third = try state.confirm(second.id).due(1)
    #expect(third.id == changes[2])
    #expect(state.confirm(third.id).isEmpty)
    let removal = try state.begin(.remove(nail.id))
    #expect(state.isDue(removal))
  }

  @Test("changes of different products do not wait for each other")
  func twoProducts() throws {
    var state = AnsweredCart()
    let first = try state.begin(.add(nail, quantity: 1))
    let other = try state.begin(.add(screw, quantity: 1))
    let removal = try state.begin(.remove(screw.id))
    #expect([first, other, removal].map(state.isDue) == [true, true, false])
    #expect(state.confirm(first).isEmpty)
    #expect(try state.confirm(other).due(1).request == CartChange(product: screw, delta: -1))
  }

  @Test("a refused change of one product does not affect the pending changes of another")
  func refusalOfAnotherProduct() throws {
    var state = AnsweredCart()
    let refused = try state.begin(.add(nail, quantity: 1))
    let other = try state.begin(.add(screw, quantity: 2))
    try state.begin(.add(screw, quantity: 3))
    #expect(state.rollBack(refused).isEmpty)
    #expect(state.cart.items.map(\.quantity) == [5])
    #expect(try state.confirm(other).due(1).request == CartChange(product: screw, delta: 3))
    #expect(state.cart.items.map(\.quantity) == [5])
  }

  @Test("if a change is refused, the next change is computed again without the refused change")
  func computedAgain() throws {
    var state = AnsweredCart(SavedCart(try Cart((nail, 4))))
    let refused = try state.begin(.add(nail, quantity: 5))
    let waiting = try state.begin(.setQuantity(3, of: nail.id))
    try state.begin(.remove(nail.id))
    #expect(!state.isDue(waiting))
    #expect(state.cart.isEmpty)
    let set = try state.rollBack(refused).due(1)
    #expect(set.request.delta == -1)
    #expect(try state.confirm(set.id).due(1).request.delta == -3)
    #expect(state.cart.isEmpty)
  }

  @Test(
    "if an earlier change is refused, a waiting change that is now impossible fails, and the next one is due"
  )
  func failed() throws {
    var state = AnsweredCart(SavedCart(try Cart((nail, 100))))
    let refused = try state.begin(.setQuantity(10, of: nail.id))
    let add = try state.begin(.add(nail, quantity: 5))
    let set = try state.begin(.setQuantity(20, of: nail.id))
    #expect(state.pendingCount == 3)
    let turns = state.rollBack(refused)
    try #require(turns.map(\.id) == [add, set])
    #expect(throws: CartError.insufficientStock(nail.id, requested: 105, available: 100)) {
      try turns[0].result.get()
    }
    #expect(try turns.due(2).request.delta == -80)
    #expect(state.cart.items.map(\.quantity) == [20])
    #expect(state.pendingCount == 1)
  }

  @Test("a removal fails if it waits for the add of the product and the add is refused")
  func nothingLeft() throws {
    var state = AnsweredCart()
    let added = try state.begin(.add(nail, quantity: 3))
    try state.begin(.remove(nail.id))
    let turns = state.rollBack(added)
    #expect(throws: CartError.unknownProduct(nail.id)) { try turns.due(1) }
    #expect(state.pendingCount == 0)
    #expect(state.cart.isEmpty)
  }
}

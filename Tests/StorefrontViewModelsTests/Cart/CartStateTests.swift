import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The cart's rules, without anybody who waits.
@Suite("Cart state", .timeLimit(.minutes(1)))
struct CartStateTests {
  private static let nail = Product(
    id: 1, name: "Nail", price: Money(minorUnits: 1, currency: .usd), stock: 100)
  private static let screw = Product(
    id: 2, name: "Screw", price: Money(minorUnits: 1, currency: .usd), stock: 100)

  private static func holding(_ quantity: Int) throws -> CartState {
    var cart = Cart()
    try cart.add(nail, quantity: quantity)
    return CartState(cart: cart, isConfirmed: true)
  }

  @Test("a second answer to the same change alters nothing, and is nobody's turn", arguments: [true, false])
  func secondAnswer(isConfirmed: Bool) throws {
    var state = CartState(isConfirmed: true)
    let change = try #require(try state.begin(.add(Self.nail, quantity: 2)))
    _ = try state.begin(.add(Self.nail, quantity: 3))
    let first = isConfirmed ? state.confirm(change) : state.rollBack(change)
    #expect(first.count == 1)
    #expect(state.rollBack(change).isEmpty)
    #expect(state.confirm(change).isEmpty)
    #expect(state.cart.items.map(\.quantity) == (isConfirmed ? [5] : [3]))
    #expect(state.pendingCount == 1)
  }

  @Test("where there is no service, an answer is nobody's: it alters nothing", arguments: [true, false])
  func answerWithoutService(isConfirmed: Bool) throws {
    var other = CartState(isConfirmed: true)
    let change = try #require(try other.begin(.add(Self.nail, quantity: 2)))
    var state = CartState(isConfirmed: false)
    _ = try state.begin(.add(Self.nail, quantity: 3))
    let turns = isConfirmed ? state.confirm(change) : state.rollBack(change)
    #expect(turns.isEmpty)
    #expect(state.cart.items.map(\.quantity) == [3])
  }

  @Test("states are equal where they show the same cart, with as much under way")
  func equality() throws {
    var (one, other) = (CartState(isConfirmed: true), CartState(isConfirmed: false))
    #expect(one == other)
    let change = try #require(try one.begin(.add(Self.nail, quantity: 2)))
    _ = try other.begin(.add(Self.nail, quantity: 2))
    #expect(one != other, "one of them is not confirmed")
    _ = one.confirm(change)
    #expect(one == other)
    _ = try other.begin(.remove(Self.nail.id))
    #expect(one != other)
  }

  @Test("without a service nothing waits for an answer")
  func unconfirmed() throws {
    var state = CartState(isConfirmed: false)
    #expect(try state.begin(.add(Self.nail, quantity: 2)) == nil)
    #expect(state.pendingCount == 0)
    #expect(state.cart.items.map(\.quantity) == [2])
  }

  @Test("what is taken back leaves the changes that came after it")
  func rollBackBelow() throws {
    var state = CartState(isConfirmed: true)
    let first = try #require(try state.begin(.add(Self.nail, quantity: 2)))
    _ = try state.begin(.add(Self.nail, quantity: 3))
    let second = try state.rollBack(first).due(1)
    #expect(state.cart.items.map(\.quantity) == [3])
    #expect(state.confirm(second).isEmpty)
    #expect(state.cart.items.map(\.quantity) == [3])
    #expect(state.pendingCount == 0)
  }

  @Test("the changes of one product are due one after the other, in the order in which they were made")
  func oneProduct() throws {
    var state = CartState(isConfirmed: true)
    let changes = try (1...3).map { try #require(try state.begin(.add(Self.nail, quantity: $0))) }
    #expect(changes.map(\.isDue) == [true, false, false])
    let second = try state.confirm(changes[0]).due(1)
    #expect(second.id == changes[1].id)
    let third = try state.confirm(second).due(1)
    #expect(third.id == changes[2].id)
    #expect(state.confirm(third).isEmpty)
    #expect(try #require(try state.begin(.remove(Self.nail.id))).isDue)
  }

  @Test("the changes of different products are due at once, and none waits for another's answer")
  func twoProducts() throws {
    var state = CartState(isConfirmed: true)
    let nail = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    let screw = try #require(try state.begin(.add(Self.screw, quantity: 1)))
    let unscrew = try #require(try state.begin(.remove(Self.screw.id)))
    #expect([nail, screw, unscrew].map(\.isDue) == [true, true, false])
    #expect(state.confirm(nail).isEmpty)
    #expect(try state.confirm(screw).due(1).change == CartChange(product: Self.screw, delta: -1))
  }

  @Test("a refused change of one product leaves what is under way for another as it is")
  func refusedBeside() throws {
    var state = CartState(isConfirmed: true)
    let nail = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    let screw = try #require(try state.begin(.add(Self.screw, quantity: 2)))
    _ = try state.begin(.add(Self.screw, quantity: 3))
    #expect(state.rollBack(nail).isEmpty)
    #expect(state.cart.items.map(\.quantity) == [5])
    #expect(try state.confirm(screw).due(1).change == CartChange(product: Self.screw, delta: 3))
    #expect(state.cart.items.map(\.quantity) == [5])
  }

  @Test("what waits behind a refused change comes to what it is without that")
  func redone() throws {
    var state = try Self.holding(4)
    let refused = try #require(try state.begin(.add(Self.nail, quantity: 5)))
    let waiting = try #require(try state.begin(.setQuantity(3, of: Self.nail.id)))
    _ = try state.begin(.remove(Self.nail.id))
    #expect(waiting.change.delta == -6)
    let set = try state.rollBack(refused).due(1)
    #expect(set.change.delta == -1)
    #expect(try state.confirm(set).due(1).change.delta == -3)
    #expect(state.cart.isEmpty)
  }

  @Test(
    "what cannot be done without a refused change fails by the cart's rules, and what waits behind that has its turn"
  )
  func failed() throws {
    var state = try Self.holding(100)
    let refused = try #require(try state.begin(.setQuantity(10, of: Self.nail.id)))
    let add = try #require(try state.begin(.add(Self.nail, quantity: 5)))
    let set = try #require(try state.begin(.setQuantity(20, of: Self.nail.id)))
    #expect(state.pendingCount == 3)
    let turns = state.rollBack(refused)
    try #require(turns.map(\.id) == [add.id, set.id])
    #expect(throws: CartError.insufficientStock(Self.nail.id, requested: 105, available: 100)) {
      try turns[0].result.get()
    }
    #expect(try turns.due(2).change.delta == -80)
    #expect(state.cart.items.map(\.quantity) == [20])
    #expect(state.pendingCount == 1)
  }

  @Test("a remove that waits behind the refused add of all that it would take out fails")
  func nothingLeft() throws {
    var state = CartState(isConfirmed: true)
    let added = try #require(try state.begin(.add(Self.nail, quantity: 3)))
    _ = try state.begin(.remove(Self.nail.id))
    let turns = state.rollBack(added)
    #expect(throws: CartError.unknownProduct(Self.nail.id)) { try turns.due(1) }
    #expect(state.pendingCount == 0)
    #expect(state.cart.isEmpty)
  }
}

extension [CartTurn] {
  /// The change whose turn it is: the last of so many turns.
  fileprivate func due(_ count: Int) throws -> PendingChange {
    try #require(self.count == count)
    let change = try self[count - 1].result.get()
    #expect(change.isDue)
    return change
  }
}

import Domain
import Testing
import ViewModels

/// The cart's rules, without anybody who waits.
@Suite("Cart state", .timeLimit(.minutes(1)))
struct CartStateTests {
  private static let nail = Product(
    id: 1, name: "Nail", price: Money(minorUnits: 1, currency: .usd), stock: 100)

  @Test("a second answer to the same change alters nothing", arguments: [true, false])
  func secondAnswer(isConfirmed: Bool) throws {
    var state = CartState(isConfirmed: true)
    let change = try #require(try state.begin(.add(Self.nail, quantity: 2)))
    isConfirmed ? state.confirm(change) : state.rollBack(change)
    state.rollBack(change)
    state.confirm(change)
    #expect(state.cart.items.map(\.quantity) == (isConfirmed ? [2] : []))
    #expect(state.pendingCount == 0)
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
    let second = try #require(try state.begin(.add(Self.nail, quantity: 3)))
    state.rollBack(first)
    #expect(state.cart.items.map(\.quantity) == [3])
    state.confirm(second)
    #expect(state.cart.items.map(\.quantity) == [3])
  }
}

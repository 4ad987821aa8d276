import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The rules for new prices and stocks in the cart, tested without a view model.
@Suite("Cart state: updates", .timeLimit(.minutes(5)), .endsWaits)
struct CartUpdateStateTests {
  private let nail = AnsweredCart.nail
  private let screw = AnsweredCart.screw

  @Test(
    "an update shows the new price and stock, also after a change that was made with older ones is made again"
  )
  func update() throws {
    var state = AnsweredCart(SavedCart(try Cart((screw, 1))))
    let removal = try state.begin(.remove(screw.id))
    let addition = try state.begin(.add(nail, quantity: 4))
    let price = Money(minorUnits: 7, currency: .usd)
    state.receive(ProductUpdate(product: nail.id, price: price))
    state.receive(ProductUpdate(product: nail.id, stock: 3))
    #expect(state.cart.items[0].product.price == price)
    #expect(state.cart.items[0].missingUnits == 1)
    #expect(state.pendingCount == 2)
    state.rollBack(removal)
    #expect(state.cart.item(of: nail.id)?.product.price == price)
    state.confirm(addition)
    #expect(state.cart.item(of: nail.id)?.product.stock == 3)
    #expect(state.state.saved.cart.item(of: nail.id)?.product.price == price)
  }

  @Test("an update of a product that is not in the cart is ignored, and is not kept")
  func otherProduct() throws {
    var state = AnsweredCart()
    state.receive(ProductUpdate(product: nail.id, stock: 0))
    #expect(state.cart.isEmpty)
    try state.begin(.add(nail, quantity: 2))
    #expect(state.cart.items[0].product == nail)
  }

  @Test("an update of another product is ignored while a change is pending")
  func otherProductDuringChange() throws {
    var state = AnsweredCart()
    try state.begin(.add(nail, quantity: 1))
    #expect(!state.state.needs(ProductUpdate(product: screw.id, stock: 0)))
    #expect(state.state.needs(ProductUpdate(product: nail.id, stock: 0)))
  }

  @Test("the price of a refused addition stays, because it is newer than the prices of earlier changes")
  func priceOfRefusedAddition() throws {
    var state = AnsweredCart(SavedCart(try Cart((nail, 1))))
    let set = try state.begin(.setQuantity(3, of: nail.id))
    let price = Money(minorUnits: 80, currency: .usd)
    state.receive(ProductUpdate(product: nail.id, price: price))
    let newer = CatalogProduct(id: 1, name: "Nail", price: price, stock: 100)
    let addition = try state.begin(.add(newer, quantity: 1))
    state.confirm(set)
    state.rollBack(addition)
    #expect(state.cart.items.map(\.product.price) == [price])
    #expect(state.cart.items.map(\.quantity) == [3])
  }

  @Test("the product of an addition replaces earlier updates")
  func newerProduct() throws {
    var state = AnsweredCart(SavedCart(try Cart((nail, 1), (screw, 1))))
    state.receive(ProductUpdate(product: nail.id, stock: 50))
    let other = try state.begin(.remove(screw.id))
    try state.begin(.add(nail, quantity: 1))
    state.rollBack(other)
    #expect(state.cart.items.map(\.product) == [nail, screw])
  }

  @Test("an update during a load is newer than the service's cart, an earlier one is older")
  func updateDuringLoad() throws {
    var state = AnsweredCart(SavedCart(try Cart((nail, 1), (screw, 1))))
    state.receive(ProductUpdate(product: nail.id, stock: 50))
    state.load()
    _ = state.beginCartRequest()
    state.receive(ProductUpdate(product: screw.id, stock: 60))
    state.receive(ProductUpdate(product: screw.id, price: Money(minorUnits: 3, currency: .usd)))
    state.receiveCart(.success(try Cart((nail, 1), (screw, 2))))
    #expect(state.cart.items.map(\.product.stock) == [100, 60])
    #expect(state.cart.items[1].product.price == Money(minorUnits: 3, currency: .usd))
    #expect(state.cart.items[1].quantity == 2)
  }
}

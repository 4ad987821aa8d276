import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import Testing

@Suite("Answers by key", .timeLimit(.minutes(5)), .endsWaits)
struct KeyedResponsesTests {
  @Test("an answer is found by the key and the write, and another write with the key is an error")
  func lookup() throws {
    var answers = KeyedResponses<String, Int>(limit: 2)
    let (one, two) = (IdempotencyKey(), IdempotencyKey())
    #expect(try answers.response(to: "+1", key: one) == nil)
    answers.keep(11, to: "+1", key: one)
    #expect(try answers.response(to: "+1", key: one) == 11)
    #expect(try answers.response(to: "+1", key: two) == nil)
    #expect(throws: ServiceError.keyReused(one)) { try answers.response(to: "+2", key: one) }
    #expect(try answers.response(to: "+1", key: one) == 11, "the error changes nothing")
  }

  @Test("a new answer replaces the least recently used one")
  func limit() throws {
    var answers = KeyedResponses<Int, Int>(limit: 2)
    let keys = (0..<3).map { _ in IdempotencyKey() }
    for number in 0..<2 { answers.keep(number, to: number, key: keys[number]) }
    #expect(try answers.response(to: 0, key: keys[0]) == 0)
    answers.keep(2, to: 2, key: keys[2])
    #expect(answers.count == 2)
    #expect(try answers.response(to: 1, key: keys[1]) == nil)
    #expect(try answers.response(to: 0, key: keys[0]) == 0)
    #expect(try answers.response(to: 2, key: keys[2]) == 2)
  }
}

@Suite("The cart of a service", .timeLimit(.minutes(5)), .endsWaits)
struct StockedCartTests {
  private static func product(_ id: CatalogProduct.ID, stock: Int) -> CatalogProduct {
    CatalogProduct(id: id, name: "\(id)", price: .zero(in: .eur), stock: stock)
  }

  @Test("the order is that of the first units, and a product without units leaves the cart")
  func order() throws {
    var cart = StockedCart()
    let products = [CatalogProduct.ID(3), 1, 2].map { Self.product($0, stock: 9) }
    for product in products { #expect(try cart.change(product, by: 2) == 2) }
    #expect(try cart.change(products[0], by: -2) == 0)
    #expect(try cart.change(products[1], by: 1) == 3)
    #expect(try cart.change(products[0], by: 1) == 1)
    let items = [(1, 3), (2, 2), (0, 1)].map { CartItem(product: products[$0], quantity: $1) }
    #expect(
      cart.cart(currency: .usd) { id in products.first { $0.id == id } }
        == Cart(currency: .usd, items: [items[0], items[1], items[2]]))
    let known = cart.cart(currency: .gbp) { id in id == 2 ? products[2] : nil }
    #expect(known == Cart(currency: .gbp, items: [items[1]]), "an unknown product is left out")
  }

  @Test("a refused change names the reason and changes nothing")
  func refusals() throws {
    var cart = StockedCart()
    let (few, many) = (Self.product(1, stock: 3), Self.product(2, stock: .max))
    #expect(try cart.change(few, by: 2) == 2)
    for (product, delta, reason) in [
      (few, 2, "only 3 in stock, 2 in the cart"),
      (few, .max, "only 3 in stock, 2 in the cart"),
      (few, -3, "only 2 in the cart"), (many, .max, "the cart would have too many units"),
      (many, -1, "only 0 in the cart"),
    ] {
      #expect(throws: CartError.refused(product.id, reason: reason)) { try cart.change(product, by: delta) }
    }
    #expect(cart.quantity(of: 1) == 2)
    #expect(cart.quantity(of: 2) == 0)
    #expect(try cart.change(many, by: .max - 2) == .max - 2)
  }

  @Test("a quantity that exceeds a fallen stock can be reduced, but not raised")
  func fallenStock() throws {
    var cart = StockedCart()
    #expect(try cart.change(Self.product(1, stock: 10), by: 10) == 10)
    let few = Self.product(1, stock: 5)
    #expect(throws: CartError.refused(1, reason: "only 5 in stock, 10 in the cart")) {
      try cart.change(few, by: 1)
    }
    #expect(try cart.change(few, by: 0) == 10)
    #expect(try cart.change(few, by: -1) == 9)
    #expect(try cart.change(few, by: -4) == 5)
    #expect(throws: CartError.self) { try cart.change(few, by: 1) }
  }
}

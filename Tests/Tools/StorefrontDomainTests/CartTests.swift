import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@Suite("Cart", .timeLimit(.minutes(5)), .endsWaits)
struct CartTests {
  private static func product(
    _ id: CatalogProduct.ID, price: Int = 10_00, currency: Currency = .eur, stock: Int = 5
  ) -> CatalogProduct {
    CatalogProduct(
      id: id, name: "Product \(id)", price: Money(minorUnits: price, currency: currency), stock: stock)
  }

  private static func filled() throws -> Cart {
    var cart = Cart(currency: .eur)
    try cart.add(product(1))
    try cart.add(product(2, price: 2_50), quantity: 3)
    try cart.add(product(3, price: 1, stock: .max))
    return cart
  }

  @Test("a cart has one item for each product, in the order in which the products were first added")
  func order() throws {
    var cart = try Self.filled()
    try cart.add(Self.product(1), quantity: 2)
    #expect(cart.items.map(\.id) == [1, 2, 3])
    #expect(cart.quantity(of: 1) == 3)
    #expect(cart.quantity(of: 99) == 0)
    #expect(cart.item(of: 2)?.quantity == 3)
    #expect(cart.itemCount == 7)
    #expect(try cart.total() == Money(minorUnits: 37_51, currency: .eur))
  }

  @Test("an empty cart has its initial currency, and a cart with items has the currency of its first item")
  func currencies() throws {
    var cart = Cart(currency: .gbp)
    #expect(try cart.total() == .zero(in: .gbp))
    try cart.add(Self.product(1, currency: .jpy))
    #expect(try cart.total() == Money(minorUnits: 10_00, currency: .jpy))
    try cart.remove(1)
    #expect(cart.isEmpty)
    #expect(try cart.total() == .zero(in: .gbp))
  }

  @Test("empty carts are equal only if they have the same currency")
  func emptyCarts() throws {
    #expect(Cart(currency: .eur) != Cart(currency: .gbp))
    var cart = Cart(currency: .gbp)
    try cart.add(Self.product(1))
    #expect(try cart == Self.cart(of: 1), "the currency of an empty cart has no effect on a cart with items")
    try cart.remove(1)
    #expect(cart == Cart(currency: .gbp))
  }

  private static func cart(of id: CatalogProduct.ID) throws -> Cart {
    var cart = Cart(currency: .eur)
    try cart.add(product(id))
    return cart
  }

  @Test("each mutation returns its change, and another cart that applies the changes becomes equal")
  func changes() throws {
    var cart = Cart(currency: .eur)
    let (first, second) = (Self.product(1), Self.product(2))
    let changes = [
      try cart.add(first, quantity: 2), try cart.add(second, quantity: 4), try cart.setQuantity(1, of: 2),
      try cart.setQuantity(5, of: 1), try cart.setQuantity(5, of: 1), try cart.remove(2),
      try cart.setQuantity(0, of: 1), try cart.add(second),
    ]
    #expect(changes.map(\.delta) == [2, 4, -3, 3, 0, -1, -5, 1])
    var other = Cart(currency: .eur)
    for change in changes { try other.apply(change) }
    #expect(other == cart)
    #expect(other.items == [CartItem(product: second, quantity: 1)])
  }

  @Test("adding a product again updates its price and stock")
  func newerProduct() throws {
    var cart = Cart(currency: .eur)
    try cart.add(Self.product(1, stock: 1))
    try cart.add(Self.product(1, price: 7_00, stock: 2))
    #expect(try cart.total() == Money(minorUnits: 14_00, currency: .eur))
  }

  @Test("after a removal, lookups still find the remaining items")
  func removal() throws {
    var cart = Cart(currency: .eur)
    for id in 0..<20 { try cart.add(Self.product(.init(rawValue: id), stock: 100), quantity: id + 1) }
    for id in stride(from: 0, to: 20, by: 3) { try cart.remove(.init(rawValue: id)) }
    for id in 0..<20 {
      #expect(cart.quantity(of: .init(rawValue: id)) == (id % 3 == 0 ? 0 : id + 1))
    }
    try cart.setQuantity(50, of: 19)
    #expect(cart.items.last?.quantity == 50)
    #expect(cart.itemCount == cart.items.reduce(0) { $0 + $1.quantity })
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let error: CartError
    let attempt: @Sendable (inout Cart) throws(CartError) -> Void
  }

  private static let refusals: [Refusal] = [
    Refusal(testDescription: "adding a quantity of zero", error: .invalidQuantity(0)) {
      cart throws(CartError) in
      try cart.add(product(1), quantity: 0)
    },
    Refusal(testDescription: "adding a negative quantity", error: .invalidQuantity(-1)) {
      cart throws(CartError) in
      try cart.add(product(1), quantity: -1)
    },
    Refusal(
      testDescription: "adding more than the stock", error: .insufficientStock(2, requested: 6, available: 5)
    ) { cart throws(CartError) in try cart.add(product(2), quantity: 3) },
    Refusal(
      testDescription: "adding a sold-out product", error: .insufficientStock(9, requested: 1, available: 0)
    ) { cart throws(CartError) in try cart.add(product(9, stock: 0)) },
    Refusal(
      testDescription: "adding so many that the quantity overflows",
      error: .insufficientStock(3, requested: .max, available: .max)
    ) { cart throws(CartError) in try cart.add(product(3, stock: .max), quantity: .max) },
    Refusal(
      testDescription: "adding so many that the count overflows", error: .invalidQuantity(.max)
    ) { cart throws(CartError) in try cart.add(product(4, stock: .max), quantity: .max) },
    Refusal(
      testDescription: "adding a product in another currency", error: .money(.mixedCurrencies(.eur, .usd))
    ) { cart throws(CartError) in try cart.add(product(9, currency: .usd)) },
    Refusal(testDescription: "setting the quantity of an unknown product", error: .unknownProduct(9)) {
      cart throws(CartError) in
      try cart.setQuantity(1, of: 9)
    },
    Refusal(testDescription: "setting a negative quantity", error: .invalidQuantity(-2)) {
      cart throws(CartError) in
      try cart.setQuantity(-2, of: 1)
    },
    Refusal(
      testDescription: "setting more than the stock", error: .insufficientStock(1, requested: 6, available: 5)
    ) { cart throws(CartError) in try cart.setQuantity(6, of: 1) },
    Refusal(
      testDescription: "setting a quantity with which the count overflows", error: .invalidQuantity(.max)
    ) { cart throws(CartError) in try cart.setQuantity(.max, of: 3) },
    Refusal(testDescription: "removing an unknown product", error: .unknownProduct(9)) {
      cart throws(CartError) in
      try cart.remove(9)
    },
    Refusal(testDescription: "taking out more than the cart has", error: .invalidQuantity(-4)) {
      cart throws(CartError) in
      try cart.apply(CartChange(product: product(2), delta: -4))
    },
    Refusal(
      testDescription: "applying a change with the delta Int.min", error: .invalidQuantity(.min)
    ) { cart throws(CartError) in try cart.apply(CartChange(product: product(2), delta: .min)) },
    Refusal(testDescription: "taking out an unknown product", error: .unknownProduct(9)) {
      cart throws(CartError) in
      try cart.apply(CartChange(product: product(9), delta: -1))
    },
  ]

  @Test("a refused mutation leaves the cart unchanged", arguments: refusals)
  func refusal(_ refusal: Refusal) throws {
    var cart = try Self.filled()
    let before = cart
    #expect(throws: refusal.error) { try refusal.attempt(&cart) }
    #expect(cart == before)
    #expect(cart.itemCount == before.itemCount)
    #expect((1...4).map { cart.quantity(of: .init(rawValue: $0)) } == [1, 3, 1, 0])
  }

  @Test("a total that overflows is an error")
  func overflowingTotal() throws {
    var cart = try Self.filled()
    try cart.add(Self.product(4, price: .max, stock: 1))
    #expect(throws: MoneyError.overflow) { try cart.total() }
  }

  @Test("changing an item does not copy the items")
  func inPlace() throws {
    var cart = Cart(currency: .eur)
    for id in 0..<100 { try cart.add(Self.product(.init(rawValue: id), stock: .max)) }
    let address = unsafe cart.items.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    try cart.add(Self.product(50, stock: .max), quantity: 7)
    try cart.setQuantity(3, of: 51)
    let addressNow = unsafe cart.items.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    #expect(addressNow == address)
  }

  @Test("a cart survives encoding and decoding, and lookups work as before")
  func roundTrip() throws {
    let cart = try Self.filled()
    var decoded = try JSONDecoder().decode(Cart.self, from: JSONEncoder().encode(cart))
    #expect(decoded == cart)
    try decoded.add(Self.product(2))
    #expect(decoded.quantity(of: 2) == 4)
  }

  @Test(
    "a cart that breaks a rule does not decode, and the error names the rule",
    arguments: [
      (
        #"{"product": P, "quantity": 9223372036854775807}"#, "item 1: the total number of units overflows"
      ),
      (#"{"product": P, "quantity": 0}"#, "The quantity 0 is invalid."),
      (#"{"product": P, "quantity": 1}, {"product": P, "quantity": 1}"#, "item 2: product 8 appears twice"),
    ])
  func undecodable(items: String, message: String) throws {
    func product(_ id: Int) throws -> String {
      String(decoding: try JSONEncoder().encode(Self.product(.init(rawValue: id))), as: UTF8.self)
    }
    let first = #"{"product": \#(try product(7)), "quantity": 1}"#
    let rest = items.replacing("P", with: try product(8))
    let json = Data(#"{"currency": "EUR", "items": [\#(first), \#(rest)]}"#.utf8)
    let error = try #require(throws: DecodingError.self) { try JSONDecoder().decode(Cart.self, from: json) }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.debugDescription == message)
  }

  @Test("a cart whose stock has fallen, or that has several currencies, survives encoding and decoding")
  func unusualCart() throws {
    var cart = Cart()
    try cart.add(Self.product(1), quantity: 5)
    cart.apply(ProductUpdate(product: 1, stock: 2))
    cart.reapply(CartChange(product: Self.product(2, currency: .usd), delta: 1))
    #expect(cart.items.map(\.missingUnits) == [3, 0])
    let decoded = try JSONDecoder().decode(Cart.self, from: JSONEncoder().encode(cart))
    #expect(decoded == cart)
    #expect(throws: MoneyError.mixedCurrencies(.eur, .usd)) { try decoded.total() }
  }

  @Test("an update changes the price and the stock of an item, and no quantity")
  func update() throws {
    var cart = Cart()
    try cart.add(Self.product(1), quantity: 4)
    cart.apply(ProductUpdate(product: 1, price: Money(minorUnits: 7, currency: .eur), stock: 3))
    #expect(try cart.total() == Money(minorUnits: 28, currency: .eur))
    #expect(cart.items[0].missingUnits == 1)
    cart.apply(ProductUpdate(product: 1, price: Money(minorUnits: 9, currency: .usd)))
    #expect(try cart.total() == Money(minorUnits: 28, currency: .eur), "a price in another currency")
    cart.apply(ProductUpdate(product: 2, stock: 3))
    #expect(cart.items.count == 1)
    // A quantity above the stock can fall, but not rise.
    try cart.setQuantity(4, of: 1)
    #expect(throws: CartError.insufficientStock(1, requested: 5, available: 3)) {
      try cart.setQuantity(5, of: 1)
    }
  }

  #if os(macOS) || os(Linux)
    @Test("an item with a quantity of zero is a programming error")
    func emptyItem() async {
      await #expect(processExitsWith: .failure) {
        _ = CartItem(
          product: CatalogProduct(id: 1, name: "", price: .zero(in: .eur), stock: 1), quantity: 0)
      }
    }
  #endif
}

import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@Suite("Saved carts and keys", .timeLimit(.minutes(5)), .endsWaits)
struct SavedCartTests {
  private static let mug = CatalogProduct(
    id: 1, name: "Mug", price: Money(minorUnits: 900, currency: .usd), stock: 5)

  @Test("a saved cart survives encoding and decoding, with the keys of its changes")
  func coding() throws {
    var cart = Cart()
    try cart.add(Self.mug, quantity: 2)
    let changes = [1, -2].map { delta in
      UnansweredChange(key: IdempotencyKey(), change: CartChange(product: Self.mug, delta: delta))
    }
    let saved = SavedCart(cart, unanswered: changes)
    #expect(try JSONDecoder().decode(SavedCart.self, from: JSONEncoder().encode(saved)) == saved)
  }

  @Test("a saved cart with a repeated or an invalid key does not decode", arguments: ["a", "", "a b"])
  func invalidKeys(key: String) throws {
    let change = String(
      decoding: try JSONEncoder().encode(CartChange(product: Self.mug, delta: 1)), as: UTF8.self)
    let entry = #"{"key":"\#(key)","change":\#(change)}"#
    let json = #"{"cart":{"currency":"USD","items":[]},"unanswered":[\#(entry),\#(entry)]}"#
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(SavedCart.self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(
      context.debugDescription == (key == "a" ? "two changes with the same key" : "invalid idempotency key"))
  }

  @Test("a change that sets a negative quantity does not decode", arguments: [-1, 0, 1])
  func quantities(quantity: Int) throws {
    let change = UnansweredChange(
      key: IdempotencyKey(), change: CartChange(product: Self.mug, delta: 1), quantity: quantity)
    let data = try JSONEncoder().encode(change)
    if quantity < 0 {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(UnansweredChange.self, from: data) }
    } else {
      #expect(try JSONDecoder().decode(UnansweredChange.self, from: data) == change)
    }
  }

  @Test("new keys differ, and can be created again from their texts")
  func newKeys() {
    let keys = (1...100).map { _ in IdempotencyKey() }
    #expect(Set(keys).count == 100)
    #expect(keys.allSatisfy { IdempotencyKey($0.text) == $0 })
    #expect("\(keys[0])" == keys[0].text)
  }

  @Test(
    "a key has 1 to 255 printable ASCII characters, and no space, quotation mark or backslash",
    arguments: [
      ("a", true), ("~!", true), (String(repeating: "k", count: 255), true), ("", false), ("a b", false),
      (#"a"b"#, false), (#"a\b"#, false), ("ü", false), ("a\u{7F}", false), ("a\r\n", false),
      (String(repeating: "k", count: 256), false),
    ])
  func keyTexts(text: String, isValid: Bool) {
    #expect((IdempotencyKey(text) != nil) == isValid)
  }

  @Test(
    "the refusals of a service are known",
    arguments: [
      (ServiceError.notFound("post 1"), true), (.status(code: 400, message: ""), false),
      (.status(code: 409, message: ""), false), (.status(code: 500, message: ""), false), (.offline, false),
      (.unreachable("no"), false),
      (.insecure, false), (.connectionLost, false), (.timedOut, false), (.tooLarge(limit: 1), false),
      (.redirected(to: "http://a"), false), (.malformed("a"), false),
      (.keyReused(IdempotencyKey()), true), (.stillInProgress(IdempotencyKey()), false),
    ] as [(ServiceError, Bool)])
  func refusals(error: ServiceError, isRefusal: Bool) {
    #expect(error.isRefusal == isRefusal)
  }
}

import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import Testing

@Suite("Catalog file", .timeLimit(.minutes(5)), .endsWaits)
struct CatalogFileTests {
  /// Loads a file with the given content, and returns its path and the result.
  private func load(
    _ bytes: some Sequence<UInt8>
  ) throws -> (path: String, result: Result<Catalog, CatalogError>) {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return (path, Result { () throws(CatalogError) in try Catalog.load(contentsOf: path) })
  }

  private static let lamp =
    #"{"id": 7, "name": "L\u00e4mp \ud83d\udca1\n", "price": {"minorUnits": 1990, "currency": "EUR"}, "stock": 2, "x": [null]}"#

  @Test(
    "a catalog file may contain a list of products alone, or an object with this list",
    arguments: ["[\(lamp)]", #"{"products": [\#(lamp)] } "#])
  func good(json: String) throws {
    let catalog = try load(json.utf8).result.get()
    #expect(
      catalog.products == [
        CatalogProduct(id: 7, name: "Lämp 💡\n", price: Money(minorUnits: 1990, currency: .eur), stock: 2)
      ])
    #expect(catalog.product(7) == catalog.products[0])
    #expect(catalog.product(8) == nil)
    #expect(!catalog.orders.isEmpty && catalog.recommendations == catalog.products)
  }

  @Test("a seed creates the same catalog every time, and another seed creates another catalog")
  func seeds() {
    #expect(Catalog.seeded(7, count: 50) == Catalog.seeded(7, count: 50))
    #expect(Catalog.seeded(7, count: 50) != Catalog.seeded(8, count: 50))
    let catalog = Catalog.seeded()
    #expect(catalog.products.count == 5_000)
    #expect(catalog.products.allSatisfy { $0.stock > 0 && $0.price.minorUnits > 0 })
    // The generated data must never change, so that measurements on the catalog stay comparable.
    #expect("\(catalog.products[0].name), \(catalog.products[0].price)" == "Folding Cork Vase, 114.77 USD")
  }

  @Test(
    "the error for an invalid record names the record, the field and the cause",
    arguments: [
      (#"{"id": 8}"#, "product at index 1 (id 8): name: it is missing"),
      (#"{"name": "x"}"#, "product at index 1: id: it is missing"),
      (#"{"id": "8"}"#, "product at index 1: id: expected a whole number, found a string"),
      (#"{"id": 8.5}"#, "product at index 1: id: 8.5 is not a 64-bit whole number"),
      (
        #"{"id": 99999999999999999999}"#,
        "product at index 1: id: 99999999999999999999 is not a 64-bit whole number"
      ),
      ("[]", "product at index 1: the record: expected an object, found an array"),
      (#"{"id": 8, "name": null}"#, "product at index 1 (id 8): name: expected a string, found null"),
      (#"{"id": 8, "name": ""}"#, "product at index 1 (id 8): name: it is empty"),
      (
        #"{"id": 8, "name": "x", "price": 5}"#,
        "product at index 1 (id 8): price: expected an object, found the number 5"
      ),
      (#"{"id": 8, "name": "x", "price": {}}"#, "product at index 1 (id 8): price.minorUnits: it is missing"),
      (
        #"{"id": 8, "name": "x", "price": {"minorUnits": -1, "currency": "EUR"}}"#,
        "product at index 1 (id 8): price.minorUnits: it is negative: -1"
      ),
      (
        #"{"id": 8, "name": "x", "price": {"minorUnits": 1, "currency": "EUX"}}"#,
        #"product at index 1 (id 8): price.currency: The currency code "EUX" is unknown."#
      ),
      (
        #"{"id": 8, "name": "x", "price": {"minorUnits": 1, "currency": "EUR"}, "stock": -3}"#,
        "product at index 1 (id 8): stock: it is negative: -3"
      ),
      (
        #"{"id": 8, "name": "x", "price": {"minorUnits": 1, "currency": "EUR"}, "stock": true}"#,
        "product at index 1 (id 8): stock: expected a whole number, found true"
      ),
      (lamp, "product at index 1 (id 7): id: the product at index 0 has the same id"),
    ])
  func records(record: String, message: String) throws {
    let (path, result) = try load("[\(Self.lamp), \(record)]".utf8)
    let error = try #require(throws: CatalogError.self) { try result.get() }
    #expect(error.description == "\(path): \(message)")
  }

  @Test(
    "the error for text that is not JSON names the line, the column and the cause",
    arguments: [
      ("", "1:1: not JSON: expected a value, found the end of the text"),
      ("[\n  {\"id\": 1,\n   \"name\" 5}]", #"3:11: not JSON: expected ":", found "5""#),
      ("[1, 2\n", #"2:1: not JSON: expected "," or "]", found the end of the text"#),
      ("[1,]", #"1:4: not JSON: expected a value, found "]""#),
      ("{\"a\": 1,}", #"1:9: not JSON: expected a key, found "}""#),
      ("{\"a\": 1, \"a\": 2}", #"1:10: not JSON: the key "a" appears twice"#),
      ("[1] x", "1:5: not JSON: unexpected text after the end of the value"),
      ("[01]", "1:2: not JSON: a number must not begin with 0"),
      ("[1.]", #"1:4: not JSON: expected a digit, found "]""#),
      ("[-]", #"1:3: not JSON: expected a value, found "]""#),
      ("[tru]", #"1:2: not JSON: expected a value, found "t""#),
      ("[\"a", "1:2: not JSON: a string is not terminated"), ("[\"\\q\"]", "1:3: not JSON: unknown escape"),
      ("[\"\\ud800\"]", "1:3: not JSON: an escape is half of a surrogate pair"),
      ("[\"\\u12\"]", "1:5: not JSON: expected four hexadecimal digits"),
      ("[\"a\nb\"]", "1:4: not JSON: a string contains a control character"),
      (Excerpt(String(repeating: "[", count: 100_000)), "1:257: not JSON: more than 256 levels deep"),
    ] as [(Excerpt, String)])
  func syntax(json: Excerpt, message: String) throws {
    let (path, result) = try load(json.text.utf8)
    let error = try #require(throws: CatalogError.self) { try result.get() }
    #expect(error.description == "\(path):\(message)")
  }

  @Test("bytes that are not UTF-8 are not JSON")
  func encoding() throws {
    let (path, result) = try load(Array(#"[""#.utf8) + [0xFF] + Array(#""]"#.utf8))
    #expect(throws: CatalogError.notJSON(file: path, line: 1, column: 2, reason: "a string is not UTF-8")) {
      try result.get()
    }
  }

  @Test(
    "JSON that is not a catalog is rejected with the reason",
    arguments: [
      ("5", "expected an object or an array, found the number 5"),
      ("{}", #"the field "products" is missing"#),
      (#"{"products": {}}"#, "products: expected an array, found an object"),
      ("[]", "products: the list is empty"),
    ])
  func notACatalog(json: String, reason: String) throws {
    let (path, result) = try load(json.utf8)
    #expect(throws: CatalogError.notACatalog(file: path, reason: reason)) { try result.get() }
  }

  @Test("the error for a missing file or a folder names the path")
  func unreadable() throws {
    let missing = "/nowhere/catalog.json"
    #expect(throws: CatalogError.unreadable(file: missing, reason: "there is no such file")) {
      try Catalog.load(contentsOf: missing)
    }
    let error = try #require(throws: CatalogError.self) { try Catalog.load(contentsOf: "/") }
    #expect(error.description.hasPrefix("/: cannot be read: ") && !error.description.contains("\n"))
  }
}

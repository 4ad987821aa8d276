import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import Testing

@Suite("Catalog", .timeLimit(.minutes(5)), .endsWaits)
struct CatalogTests {
  @Test(
    "pages split a list without gaps or overlaps, and only the last one is marked as last",
    arguments: [(0, 3), (1, 3), (3, 3), (6, 3), (7, 3), (7, 100), (7, 1)])
  func pages(count: Int, size: Int) {
    var collected: [Int] = []
    var request: PageRequest? = PageRequest(index: 0, size: size)
    var last: Int?
    while let current = request {
      let page = Page(current, of: Array(0..<count))
      #expect(page.index == current.index)
      #expect(page.isLast || page.items.count == size)
      collected += page.items
      last = page.index
      request = current.next(after: page)
    }
    #expect(collected == Array(0..<count))
    #expect(last == max(0, count - 1) / size)
  }

  @Test("no page follows the one with the largest index")
  func lastIndex() {
    let request = PageRequest(index: .max - 1, size: 3)
    let page = Page(items: [1], index: .max - 1, isLast: false)
    #expect(request.next(after: page) == PageRequest(index: .max, size: 3))
    let last = Page(items: [1], index: .max, isLast: false)
    #expect(last.isLast && last.next == nil)
  }

  @Test(
    "a page past the end is empty and marked as last, even if its offset overflows",
    arguments: [4, .max / 2, .max])
  func pastTheEnd(index: Int) {
    #expect(
      Page(PageRequest(index: index, size: 3), of: Array(0..<7))
        == Page(items: [], index: index, isLast: true))
  }

  @Test("a product survives encoding and decoding")
  func roundTrip() throws {
    let product = CatalogProduct(
      id: 7, name: "Lamp", price: Money(minorUnits: 19_90, currency: .eur), stock: 3)
    let data = try JSONEncoder().encode(product)
    #expect(try JSONDecoder().decode(CatalogProduct.self, from: data) == product)
  }

  @Test(
    "a value that breaks a rule does not decode, and the path of the error leads to it",
    arguments: [
      (product.replacing("3", with: "-1"), "stock"), (product.replacing("1990", with: "-1"), "price"),
      (product.replacing("7", with: "0"), "id"),
      (#"{"items": [\#(product)], "index": -1, "isLast": true}"#, "index"),
      (
        #"{"items": [\#(product.replacing("3", with: "-1"))], "index": 0, "isLast": true}"#,
        "items.Index 0.stock"
      ),
    ])
  func brokenRule(json: String, path: String) throws {
    let error = try #require(throws: DecodingError.self) {
      if json.contains("items") {
        _ = try JSONDecoder().decode(Page<CatalogProduct>.self, from: Data(json.utf8))
      } else {
        _ = try JSONDecoder().decode(CatalogProduct.self, from: Data(json.utf8))
      }
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue).joined(separator: ".") == path)
  }

  private static let product =
    #"{"id": 7, "name": "Lamp", "price": {"minorUnits": 1990, "currency": "EUR"}, "stock": 3}"#

  #if os(macOS) || os(Linux)
    @Test("invalid page requests and products are programming errors")
    func preconditions() async {
      await #expect(processExitsWith: .failure) { _ = PageRequest(index: -1, size: 1) }
      await #expect(processExitsWith: .failure) { _ = PageRequest(index: 0, size: 0) }
      await #expect(processExitsWith: .failure) { _ = PageRequest(cursor: "a", size: 0) }
      await #expect(processExitsWith: .failure) { _ = PageCursor(rawValue: "") }
      await #expect(processExitsWith: .failure) { _ = Page(items: [1], index: -1, isLast: true) }
      await #expect(processExitsWith: .failure) { _ = Page(PageRequest(cursor: "a", size: 1), of: [1]) }
      await #expect(processExitsWith: .failure) {
        _ = CatalogProduct(id: 1, name: "", price: .zero(in: .eur), stock: -1)
      }
    }
  #endif
}

import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@Suite("Product updates", .timeLimit(.minutes(5)), .endsWaits)
struct ProductUpdateTests {
  private let price = Money(minorUnits: 1_250, currency: .eur)

  @Test("an update survives encoding and decoding, with a price, a stock or both")
  func coding() throws {
    let updates = [
      ProductUpdate(product: 1, price: price), ProductUpdate(product: 2, stock: 0),
      ProductUpdate(product: 3, price: .zero(in: .jpy), stock: 5),
    ]
    let data = try JSONEncoder().encode(updates)
    #expect(try JSONDecoder().decode([ProductUpdate].self, from: data) == updates)
  }

  @Test(
    "an update that breaks a rule cannot be decoded, and the error names the field",
    arguments: [
      (#"{"product":0,"stock":1}"#, "invalid id: 0"), (#"{"stock":1}"#, "product"),
      (#"{"product":1}"#, "neither a price nor a stock"),
      (#"{"product":1,"stock":-1}"#, "negative stock: -1"),
      (
        #"{"product":1,"price":{"minorUnits":-5,"currency":"EUR"},"stock":1}"#, "negative price: -0.05 EUR"
      ),
      (#"{"product":1,"price":{"minorUnits":5,"currency":"ZZZ"}}"#, "ZZZ"),
    ])
  func invalid(json: String, reason: String) throws {
    let error = try #require(
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(ProductUpdate.self, from: Data(json.utf8))
      })
    #expect("\(error)".contains(reason), "\(error)")
  }

  @Test("the newer price and the newer stock win, and what is missing in the newer update stays")
  func merging() {
    let both = ProductUpdate(product: 1, price: price, stock: 3)
    #expect(ProductUpdate(product: 1, price: price).merging(ProductUpdate(product: 1, stock: 3)) == both)
    #expect(ProductUpdate(product: 1, stock: 3).merging(ProductUpdate(product: 1, price: price)) == both)
    #expect(
      both.merging(ProductUpdate(product: 1, stock: 0)) == ProductUpdate(product: 1, price: price, stock: 0))
    let product = CatalogProduct(id: 1, name: "Tea", price: .zero(in: .eur), stock: 9)
    #expect(
      product.applying(ProductUpdate(product: 1, price: price))
        == CatalogProduct(id: 1, name: "Tea", price: price, stock: 9))
    #expect(product.applying(both) == CatalogProduct(id: 1, name: "Tea", price: price, stock: 3))
  }

  @Test("unread updates contain the newest state of each product, in the order of the first unread update")
  func pending() {
    var pending = PendingProductUpdates(of: [1, 2, 3])
    func append(_ update: ProductUpdate) -> Bool { pending.append(update) }
    func next() -> ProductUpdate? { pending.removeFirst() }
    #expect(append(ProductUpdate(product: 2, stock: 1)), "the first update wakes the reader")
    #expect(!append(ProductUpdate(product: 1, stock: 1)))
    #expect(!append(ProductUpdate(product: 2, price: price)))
    #expect(!append(ProductUpdate(product: 4, stock: 1)), "the reader does not follow this product")
    #expect(!append(ProductUpdate(product: 2, stock: 5)))
    #expect(pending.count == 2)
    #expect(next() == ProductUpdate(product: 2, price: price, stock: 5))
    #expect(!append(ProductUpdate(product: 2, stock: 6)))
    #expect(next() == ProductUpdate(product: 1, stock: 1))
    #expect(next() == ProductUpdate(product: 2, stock: 6))
    #expect(next() == nil)
    #expect(append(ProductUpdate(product: 1, price: price)), "the reader has to be woken again")
    #expect(!append(ProductUpdate(product: 1, stock: 2)))
    #expect(next() == ProductUpdate(product: 1, price: price, stock: 2))
  }

  @Test("a reader of all products keeps one unread update for each product that has changed")
  func allProducts() {
    var pending = PendingProductUpdates(of: nil)
    func append(_ update: ProductUpdate) -> Bool { pending.append(update) }
    func next() -> ProductUpdate? { pending.removeFirst() }
    for stock in 1...100 {
      for id in 1...50 { _ = pending.append(ProductUpdate(product: .init(rawValue: id), stock: stock)) }
    }
    #expect(pending.count == 50)
    for id in 1...49 {
      #expect(next() == ProductUpdate(product: .init(rawValue: id), stock: 100))
    }
    #expect(!append(ProductUpdate(product: 1, stock: 7)))
    #expect(next() == ProductUpdate(product: 50, stock: 100))
    #expect(next() == ProductUpdate(product: 1, stock: 7))
    #expect(next() == nil)
    #expect(pending.count == 0)
  }

  @Test("a reader that is never done receives each product in turn")
  func fairness() {
    var pending = PendingProductUpdates(of: [1, 2, 3])
    for id in [1, 2, 3] {
      _ = pending.append(ProductUpdate(product: CatalogProduct.ID(rawValue: id), stock: 0))
    }
    var read: [Int] = []
    for stock in 1...300 {
      guard let next = pending.removeFirst() else { break }
      read.append(next.product.rawValue)
      _ = pending.append(ProductUpdate(product: next.product, stock: stock))
    }
    #expect(read == (0..<300).map { $0 % 3 + 1 })
    #expect(pending.count == 3)
  }

  @Test("a reader that leaves the updates of too many products unread ends with an error, after them")
  func limit() async throws {
    let mailbox = ProductUpdateMailbox(of: nil, limit: 3)
    for id in [1, 2, 2, 3, 4] { mailbox.send(ProductUpdate(product: .init(rawValue: id), stock: 1)) }
    #expect(mailbox.count == 3)
    let (registration, reading) = (CancellationToken {}, Notes())
    let stream = ProductUpdateReader(mailbox, registration: registration).makeStream()
    let problem = "the feed has sent updates of 3 products that have not been read"
    await #expect(throws: ServiceError.malformed(problem)) {
      for try await update in stream { reading.add("\(update.product.rawValue)") }
    }
    #expect(reading.all == ["1", "2", "3"])
    #expect(registration.isCancelled)
  }

  #if os(macOS) || os(Linux)
    @Test("invalid updates are programming errors")
    func preconditions() async {
      await #expect(processExitsWith: .failure) { _ = ProductUpdate(product: 1) }
      await #expect(processExitsWith: .failure) { _ = ProductUpdate(product: 1, stock: -1) }
      await #expect(processExitsWith: .failure) {
        _ = ProductUpdate(product: 1, price: Money(minorUnits: -1, currency: .eur))
      }
      await #expect(processExitsWith: .failure) {
        _ = ProductUpdate(product: 1, stock: 1).merging(ProductUpdate(product: 2, stock: 1))
      }
    }
  #endif
}

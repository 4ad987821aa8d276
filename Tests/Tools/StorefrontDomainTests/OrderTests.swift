import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@Suite("Orders", .timeLimit(.minutes(5)), .endsWaits)
struct OrderTests {
  private static func json(
    id: Int = 1, total: Int = 500, itemCount: Int = 2, status: String = "placed"
  ) -> String {
    #"{"id": \#(id), "total": {"minorUnits": \#(total), "currency": "EUR"}, "itemCount": \#(itemCount), "status": "\#(status)"}"#
  }

  private static func decode(_ json: String...) throws -> [Order] {
    try JSONDecoder().decode([Order].self, from: Data("[\(json.joined(separator: ","))]".utf8))
  }

  @Test("an order with an unknown status decodes, and so do the orders around it")
  func unknownStatus() throws {
    let orders = try Self.decode(
      Self.json(status: "shipped"), Self.json(status: "on a bike"), Self.json(status: "cancelled"))
    #expect(orders.map(\.status) == [.shipped, .unknown("on a bike"), .cancelled])
  }

  @Test(
    "an order survives encoding and decoding",
    arguments: [.placed, .shipped, .delivered, .cancelled, .unknown("lost")] as [Order.Status])
  func roundTrip(status: Order.Status) throws {
    let order = Order(id: 1, total: Money(minorUnits: 500, currency: .eur), itemCount: 2, status: status)
    let data = try JSONEncoder().encode(order)
    #expect(try JSONDecoder().decode(Order.self, from: data) == order)
    #expect(String(decoding: data, as: UTF8.self).contains(#""status":"\#(status.rawValue)""#))
  }

  @Test(
    "an order with an invalid number does not decode, and the path of the error leads to the number",
    arguments: [
      (json(id: 0), "id"), (json(id: -5), "id"), (json(total: -1), "total"),
      (json(itemCount: -1), "itemCount"),
    ])
  func negative(json: String, field: String) throws {
    let error = try #require(throws: DecodingError.self) { try Self.decode(json) }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["Index 0", field])
  }
}

/// An order of the shopper.
public struct Order: Sendable, Hashable, Identifiable {
  /// The progress of an order.
  public enum Status: Sendable, Hashable {
    /// The shop has received the order.
    case placed
    /// The goods have left the shop.
    case shipped
    /// The goods have arrived.
    case delivered
    /// The order was cancelled.
    case cancelled
    /// A status that this version of the app does not know, with the name that the service gives it. Use
    /// ``init(rawValue:)`` to create a status, so that no known name becomes unknown. The name can be any text of any length, so do not
    /// show it to people unchecked.
    case unknown(String)
  }

  /// The order number.
  public let id: Int
  /// The price of the whole order.
  public let total: Money
  /// The total number of units of all products.
  public let itemCount: Int
  /// The progress of the order.
  public let status: Status

  /// Creates an order.
  public init(id: Int, total: Money, itemCount: Int, status: Status) {
    self.id = id
    self.total = total
    self.itemCount = itemCount
    self.status = status
  }
}

extension Order.Status: RawRepresentable, Codable {
  private static let known: [String: Order.Status] = [
    "placed": .placed, "shipped": .shipped, "delivered": .delivered, "cancelled": .cancelled,
  ]

  /// Creates the status with this name, or ``unknown(_:)`` if the app does not know the name.
  public init(rawValue: String) {
    self = Self.known[rawValue] ?? .unknown(rawValue)
  }

  /// The name that the service gives to the status.
  public var rawValue: String {
    switch self {
    case .placed: "placed"
    case .shipped: "shipped"
    case .delivered: "delivered"
    case .cancelled: "cancelled"
    case .unknown(let name): name
    }
  }
}

extension Order: Codable {
  private enum CodingKeys: CodingKey {
    case id, total, itemCount, status
  }

  /// Decodes an order.
  ///
  /// An unknown status is not an error, because one new status must not make a whole list of orders unusable.
  ///
  /// - Throws: `DecodingError` if a field is missing or invalid, if the order number is below 1, or if the total or the item count is
  ///   negative.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let total = try container.decode(Money.self, forKey: .total)
    let itemCount = try container.decode(Int.self, forKey: .itemCount)
    try container.require(total.minorUnits >= 0, "a negative total: \(total)", of: .total)
    try container.require(itemCount >= 0, "a negative number of units: \(itemCount)", of: .itemCount)
    let id = try container.decode(Int.self, forKey: .id)
    try container.require(id >= 1, "invalid order number: \(id)", of: .id)
    self.init(
      id: id, total: total, itemCount: itemCount,
      status: try container.decode(Status.self, forKey: .status))
  }
}

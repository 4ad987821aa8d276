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
    /// A status that this version of the app does not know. Create it with ``init(rawValue:)``, so
    /// that no known name becomes unknown. The name can be any text, so check it before you show
    /// it.
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

  /// Creates the status with this name, or ``unknown(_:)``.
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

  /// Decodes an order. An unknown status is no error, so that it does not hide all other orders.
  ///
  /// - Throws: `DecodingError`, also for an order number below 1, and a negative total or item
  ///   count.
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

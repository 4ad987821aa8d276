/// An order of the shopper.
public struct Order: Sendable, Hashable, Codable, Identifiable {
  /// The progress of an order.
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// The shop has received the order.
    case placed
    /// The goods have left the shop.
    case shipped
    /// The goods have arrived.
    case delivered
    /// The order was cancelled.
    case cancelled
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

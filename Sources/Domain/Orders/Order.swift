/// Something that the shopper bought.
public struct Order: Sendable, Hashable, Codable, Identifiable {
  /// How far an order has come.
  public enum Status: String, Sendable, Codable, CaseIterable {
    case placed, shipped, delivered, cancelled
  }

  public let id: Int
  public let total: Money
  /// How many pieces it has, of all products together.
  public let itemCount: Int
  public let status: Status

  public init(id: Int, total: Money, itemCount: Int, status: Status) {
    self.id = id
    self.total = total
    self.itemCount = itemCount
    self.status = status
  }
}

/// Whether a product can be had. Ordered by how easily.
public enum Availability: Int, Sendable, Hashable, Codable, CaseIterable {
  case inStock
  /// So few that whoever wants one should not wait: five or less.
  case fewLeft
  case soldOut
}

extension Availability: Comparable {
  public static func < (left: Availability, right: Availability) -> Bool { left.rawValue < right.rawValue }
}

extension Product {
  public var availability: Availability {
    switch stock {
    case ...0: .soldOut
    case ...5: .fewLeft
    default: .inStock
    }
  }
}

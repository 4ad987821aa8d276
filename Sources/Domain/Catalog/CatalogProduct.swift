/// A product that the storefront sells.
public struct CatalogProduct: Sendable, Hashable, Identifiable {
  /// The number of a product in the catalog.
  public struct ID: RawRepresentable, Sendable, Hashable, Codable {
    /// The number itself.
    public let rawValue: Int

    /// Creates an id from a number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Decodes an id.
    ///
    /// - Throws: `DecodingError`, also for a number below 1.
    public init(from decoder: any Decoder) throws {
      self.init(rawValue: try decoder.decodeIDNumber())
    }
  }

  /// The number of the product in the catalog.
  public let id: ID
  /// The name that a customer sees.
  public let name: String
  /// The price of one unit.
  public let price: Money
  /// The number of available units. A cart rejects a larger quantity.
  public let stock: Int

  /// Creates a product.
  ///
  /// - Precondition: `stock` is not negative. Decoding a negative stock throws an error.
  public init(id: ID, name: String, price: Money, stock: Int) {
    precondition(stock >= 0, "product \(id): negative stock \(stock)")
    self.id = id
    self.name = name
    self.price = price
    self.stock = stock
  }
}

extension CatalogProduct.ID: ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// Creates an id from an integer literal.
  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  public var description: String { String(rawValue) }
}

extension CatalogProduct: Codable {
  private enum CodingKeys: CodingKey {
    case id, name, price, stock
  }

  /// Decodes a product.
  ///
  /// - Throws: `DecodingError`, also for a negative stock or price.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let stock = try container.decode(Int.self, forKey: .stock)
    let price = try container.decode(Money.self, forKey: .price)
    try container.require(stock >= 0, "negative stock: \(stock)", of: .stock)
    try container.require(price.minorUnits >= 0, "negative price: \(price)", of: .price)
    self.init(
      id: try container.decode(ID.self, forKey: .id),
      name: try container.decode(String.self, forKey: .name),
      price: price,
      stock: stock)
  }
}

/// How many units of a product are available, from many to none.
public enum Availability: Int, Sendable, Hashable, Codable, CaseIterable {
  /// More than five units are available.
  case inStock
  /// One to five units are available.
  case fewLeft
  /// No unit is available.
  case soldOut
}

extension Availability: Comparable {
  /// Whether the left case means more available units than the right case.
  public static func < (left: Availability, right: Availability) -> Bool { left.rawValue < right.rawValue }
}

extension CatalogProduct {
  /// The availability that follows from the stock.
  public var availability: Availability {
    switch stock {
    case ...0: .soldOut
    case ...5: .fewLeft
    default: .inStock
    }
  }
}

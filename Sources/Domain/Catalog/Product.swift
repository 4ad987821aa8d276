/// Something that the storefront sells.
public struct Product: Sendable, Hashable, Identifiable {
  /// The number under which the catalogue keeps a product.
  public struct ID: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }
  }

  public let id: ID
  public let name: String
  public let price: Money
  /// How many there are to be had: no cart may hold more.
  public let stock: Int

  /// - Precondition: `stock` is not negative. (Decoding throws instead.)
  public init(id: ID, name: String, price: Money, stock: Int) {
    precondition(stock >= 0, "the stock of product \(id) is negative: \(stock)")
    self.id = id
    self.name = name
    self.price = price
    self.stock = stock
  }
}

extension Product.ID: ExpressibleByIntegerLiteral, CustomStringConvertible {
  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  public var description: String { String(rawValue) }
}

extension Product: Codable {
  private enum CodingKeys: CodingKey {
    case id, name, price, stock
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let stock = try container.decode(Int.self, forKey: .stock)
    guard stock >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .stock, in: container, debugDescription: "negative stock: \(stock)")
    }
    self.init(
      id: try container.decode(ID.self, forKey: .id),
      name: try container.decode(String.self, forKey: .name),
      price: try container.decode(Money.self, forKey: .price),
      stock: stock)
  }
}

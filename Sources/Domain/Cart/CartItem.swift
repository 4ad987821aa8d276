/// One line of a cart: a product, and how many of it.
public struct CartItem: Sendable, Hashable, Identifiable {
  public internal(set) var product: Product
  public internal(set) var quantity: Int

  /// - Precondition: `quantity` is at least 1. (Decoding throws instead.)
  public init(product: Product, quantity: Int) {
    precondition(quantity >= 1, "the quantity of product \(product.id) is not positive: \(quantity)")
    self.product = product
    self.quantity = quantity
  }

  public var id: Product.ID { product.id }

  /// The price of all of them.
  ///
  /// - Throws: ``MoneyError/overflow``.
  public func total() throws(MoneyError) -> Money {
    try product.price * quantity
  }
}

extension CartItem: Codable {
  private enum CodingKeys: CodingKey {
    case product, quantity
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let quantity = try container.decode(Int.self, forKey: .quantity)
    guard quantity >= 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .quantity, in: container, debugDescription: "\(CartError.invalidQuantity(quantity))")
    }
    self.init(product: try container.decode(Product.self, forKey: .product), quantity: quantity)
  }
}

extension Cart: Codable {
  private enum CodingKeys: CodingKey {
    case currency, items
  }

  /// Decodes a cart and checks its rules.
  ///
  /// If a service refuses to remove the older items, a cart can contain items in several currencies. Such a
  /// cart can be encoded, but decoding it throws an error.
  ///
  /// - Throws: `DecodingError`. If ``add(_:quantity:)`` rejects an item, the debug description contains the
  ///   index of the item, and the underlying error is a ``CartError``. If a product appears twice, the debug
  ///   description contains the index of the second item. If an item itself cannot be decoded, for example
  ///   because its quantity is 0, this initializer rethrows the error of ``CartItem`` without these details.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(currency: try container.decode(Currency.self, forKey: .currency))
    var lines = try container.nestedUnkeyedContainer(forKey: .items)
    while !lines.isAtEnd {
      let index = lines.currentIndex
      let item = try lines.decode(CartItem.self)
      func corrupted(_ what: String, _ underlying: CartError?) -> DecodingError {
        .dataCorrupted(
          .init(
            codingPath: lines.codingPath, debugDescription: "item \(index): \(what)",
            underlyingError: underlying))
      }
      guard positions[item.id] == nil else { throw corrupted("product \(item.id) appears twice", nil) }
      do throws(CartError) {
        try add(item.product, quantity: item.quantity)
      } catch {
        throw corrupted("\(error)", error)
      }
    }
  }

  /// Encodes the currency and the items.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(currency, forKey: .currency)
    try container.encode(items, forKey: .items)
  }
}

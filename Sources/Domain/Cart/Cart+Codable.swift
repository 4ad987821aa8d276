extension Cart: Codable {
  private enum CodingKeys: CodingKey {
    case currency, items
  }

  /// Decodes a cart and checks its rules.
  ///
  /// After a refused removal, a cart can have items of several currencies. It can be encoded, but not decoded.
  ///
  /// - Throws: `DecodingError`. If an item breaks a rule of ``add(_:quantity:)`` or a product appears twice,
  ///   the debug description contains the index of the item. For a broken rule, the underlying error is a
  ///   ``CartError``.
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

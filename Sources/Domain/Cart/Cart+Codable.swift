extension Cart: Codable {
  private enum CodingKeys: CodingKey {
    case currency, items
  }

  /// Decodes a cart, also with a quantity above the stock or several currencies: the stock can fall
  /// after the product was added.
  ///
  /// - Throws: `DecodingError`. If a product appears twice or the number of units overflows, the
  ///   debug description contains the index of the item.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(currency: try container.decode(Currency.self, forKey: .currency))
    var lines = try container.nestedUnkeyedContainer(forKey: .items)
    while !lines.isAtEnd {
      let index = lines.currentIndex
      let item = try lines.decode(CartItem.self)
      func require(_ isValid: Bool, _ reason: String) throws {
        guard !isValid else { return }
        let description = "item \(index): \(reason)"
        throw DecodingError.dataCorrupted(.init(codingPath: lines.codingPath, debugDescription: description))
      }
      try require(positions[item.id] == nil, "product \(item.id) appears twice")
      try require(append(item), "the total number of units overflows")
    }
  }

  /// Encodes the currency and the items.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(currency, forKey: .currency)
    try container.encode(items, forKey: .items)
  }
}

/// A change of the price or the stock of one product, as a ``ProductFeed`` reports it.
public struct ProductUpdate: Sendable, Hashable {
  /// The product that has changed.
  public let product: CatalogProduct.ID
  /// The new price of one unit, if it has changed.
  public let price: Money?
  /// The new number of available units, if it has changed.
  public let stock: Int?

  /// Creates an update.
  ///
  /// - Precondition: It contains a price or a stock, and neither is negative. Decoding other values
  ///   throws an error.
  public init(product: CatalogProduct.ID, price: Money? = nil, stock: Int? = nil) {
    precondition(price != nil || stock != nil, "product \(product): an update without a price and a stock")
    precondition(price.map { $0.minorUnits >= 0 } ?? true, "product \(product): negative price")
    precondition(stock.map { $0 >= 0 } ?? true, "product \(product): negative stock")
    self.product = product
    self.price = price
    self.stock = stock
  }

  /// The state after this update and a newer update of the same product.
  ///
  /// - Precondition: Both updates are of the same product.
  public func merging(_ newer: ProductUpdate) -> ProductUpdate {
    precondition(product == newer.product, "updates of products \(product) and \(newer.product)")
    return ProductUpdate(product: product, price: newer.price ?? price, stock: newer.stock ?? stock)
  }
}

extension CatalogProduct {
  /// The product after an update.
  ///
  /// - Precondition: The update is of this product.
  public func applying(_ update: ProductUpdate) -> CatalogProduct {
    precondition(id == update.product, "product \(id): an update of product \(update.product)")
    return CatalogProduct(id: id, name: name, price: update.price ?? price, stock: update.stock ?? stock)
  }
}

extension ProductUpdate: Codable {
  private enum CodingKeys: CodingKey {
    case product, price, stock
  }

  /// Decodes an update.
  ///
  /// - Throws: `DecodingError`, also for a negative stock or price, and for an update without both.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let product = try container.decode(CatalogProduct.ID.self, forKey: .product)
    let price = try container.decodeIfPresent(Money.self, forKey: .price)
    let stock = try container.decodeIfPresent(Int.self, forKey: .stock)
    if let stock { try container.require(stock >= 0, "negative stock: \(stock)", of: .stock) }
    if let price { try container.require(price.minorUnits >= 0, "negative price: \(price)", of: .price) }
    try container.require(price != nil || stock != nil, "neither a price nor a stock", of: .product)
    self.init(product: product, price: price, stock: stock)
  }
}
